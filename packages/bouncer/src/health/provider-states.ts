import type { Kysely } from 'kysely';
import type { Logger } from 'pino';

import type { Sender } from '../providers/sender.ts';
import { SharedRead } from '../storage/shared-read.ts';
import type { BouncerTables } from '../storage/tables.ts';
import { type AlarmSubject, ProviderAlarms, SINCE_EARLIER_START } from './provider-alarms.ts';
import {
  applyTransition,
  type Changed,
  keyText,
  type StateKey,
  type StateRow,
  stateRows,
  type Transition,
} from './transitions.ts';

interface ProviderStatesOptions {
  readonly kysely: Kysely<BouncerTables>;
  /** The senders of the present configuration. */
  readonly senders: () => readonly Sender[];
  readonly log: Pick<Logger, 'error' | 'info' | 'warn'>;
}

/** An event, and what it is about. */
interface Change {
  readonly key: StateKey;
  readonly subject: AlarmSubject;
  readonly transition: Transition;
  /** Of an alarm that it begins. */
  readonly reason?: string;
}

/**
 * What is known of each provider's judgement on gateways and senders, for all nodes and across restarts:
 * the rows that this node has read, at most a second ago, or changed since. Alarms the operator when a change
 * begins or ends an alarm, which one node does.
 */
export class ProviderStates {
  readonly kysely: Kysely<BouncerTables>;
  readonly #options: ProviderStatesOptions;
  readonly #alarms: ProviderAlarms;
  /** By `keyText`. */
  #rows = new Map<string, StateRow>();
  /** Keys changed since the last read began, whose result may be older. */
  readonly #changed = new Set<string>();
  readonly #read = new SharedRead(() => this.#readRows());

  constructor(options: ProviderStatesOptions) {
    this.#options = options;
    this.kysely = options.kysely;
    this.#alarms = new ProviderAlarms(options.log);
  }

  /** Reads the rows if the last read is older than a second. */
  fresh(): Promise<void> {
    return this.#read.fresh();
  }

  /** Reads the rows by a query that begins after the call. */
  again(): Promise<void> {
    return this.#read.again();
  }

  /** Makes the next `fresh` read. */
  outdate(): void {
    this.#read.outdate();
  }

  get(key: StateKey): StateRow | undefined {
    return this.#rows.get(keyText(key));
  }

  /** The apps of gateways that are paused or have an alarm. */
  async troubled(): Promise<readonly StateRow[]> {
    await this.fresh();
    return [...this.#rows.values()].filter(isTroubled);
  }

  /** The apps of senders whose dead devices are doubted. */
  async doubted(): Promise<readonly StateRow[]> {
    await this.fresh();
    return [...this.#rows.values()].filter(({ is_doubted }) => is_doubted);
  }

  /** Repeats the alarms that an earlier start raised. */
  async repeatAlarms(): Promise<void> {
    this.outdate();
    await this.fresh();
    for (const row of this.#rows.values()) {
      const subject = this.#subjectOf(row);
      const reason = SINCE_EARLIER_START;
      if (subject && row.alarm) this.#alarms.raised(subject, row.alarm, reason);
      if (subject && row.is_doubted) this.#alarms.raised(subject, 'dead_tokens', reason);
    }
  }

  /** Changes a row. Undefined if it did not change. */
  async change({ key, subject, transition, reason = '' }: Change): Promise<Changed | undefined> {
    const changed = await applyTransition(this.kysely, key, transition);
    if (!changed) return undefined;
    const { row, former } = changed;
    const text = keyText(key);
    this.#changed.add(text);
    this.#rows.set(text, row);
    if (row.alarm !== former.alarm) {
      if (row.alarm) this.#alarms.raised(subject, row.alarm, reason);
      else if (former.alarm) this.#alarms.ended(subject, former.alarm);
    }
    if (row.is_doubted && !former.is_doubted) this.#alarms.raised(subject, 'dead_tokens', reason);
    if (!row.is_doubted && former.is_doubted) this.#alarms.ended(subject, 'dead_tokens');
    return changed;
  }

  #subjectOf({ credentials, app }: StateKey): AlarmSubject | undefined {
    const sender = this.#options
      .senders()
      .find((one) => [one, ...one.gateways].some((own) => own.credentials.equals(credentials)));
    return sender && { kind: sender.kind, sender: sender.name, app };
  }

  async #readRows(): Promise<void> {
    this.#changed.clear();
    const senders = this.#options.senders();
    const credentials = senders.flatMap((sender) =>
      [sender, ...sender.gateways].map((one) => one.credentials),
    );
    const found = await stateRows(this.kysely, credentials);
    const rows = new Map(found.map((row) => [keyText(row), row]));
    for (const text of this.#changed) {
      const row = this.#rows.get(text);
      if (row) rows.set(text, row);
    }
    this.#rows = rows;
  }
}

/** Whether a gateway is paused for the app, or there is an alarm, which the operator has to act on. */
export const isTroubled = ({ paused_until, alarm }: StateRow): boolean =>
  paused_until !== null || alarm !== null;
