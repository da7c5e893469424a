import type { Kysely } from 'kysely';
import type { Logger } from 'pino';

import type { Sender } from '../providers/sender.ts';
import { sharedCalls } from '../storage/shared-calls.ts';
import type { BouncerTables } from '../storage/tables.ts';
import {
  claimDeletion,
  type GuardRow,
  guardRows,
  saveAcceptances,
  saveDoubt,
} from './guard-queries.ts';
import { KnownRows } from './known-rows.ts';
import { ProviderAlarms, SINCE_EARLIER_START } from './provider-alarms.ts';
import { type HealthKey, keyText } from './queries.ts';

interface DeletionGuardOptions {
  readonly kysely: Kysely<BouncerTables>;
  /** The senders of the present configuration. */
  readonly senders: () => readonly Sender[];
  /** Called when devices whose death was doubted may be tried again. */
  readonly onTrust: (target: SenderApp) => Promise<void>;
  readonly log: Pick<Logger, 'error' | 'info' | 'warn'>;
}

/** A sender, for the phones of one app. */
export interface SenderApp {
  readonly sender: Sender;
  /** Null for phones whose registration names no app. */
  readonly app: string | null;
}

/**
 * Decides whether a provider is believed that a device is dead, for all nodes and across restarts. With
 * the wrong environment, project or app, or in an outage, a provider calls every token dead. So nothing
 * is deleted before a notification was accepted with the same credentials for the same app, and then
 * only a share of the app's devices until more are accepted. Beyond that, devices are kept and the
 * operator is alarmed once.
 */
export class DeletionGuard {
  readonly #options: DeletionGuardOptions;
  readonly #alarms: ProviderAlarms;
  readonly #rows: KnownRows<GuardRow>;
  /** Accepted notifications that are not in the row yet. */
  readonly #accepted = new Map<string, number>();
  readonly #saving = sharedCalls<void>();

  constructor(options: DeletionGuardOptions) {
    this.#options = options;
    this.#alarms = new ProviderAlarms(options.log);
    this.#rows = new KnownRows(() =>
      guardRows(
        options.kysely,
        options.senders().map(({ credentials }) => credentials),
      ),
    );
  }

  /** The apps whose dead devices are doubted. */
  async doubted(): Promise<readonly GuardRow[]> {
    await this.#rows.fresh();
    return this.#rows.all().filter(({ has_alarm }) => has_alarm);
  }

  /** Whether dead devices of the app are doubted now: also sees what another node wrote before the call. */
  async isDoubted(target: SenderApp): Promise<boolean> {
    await this.#rows.again();
    return this.#rows.get(keyOf(target))?.has_alarm ?? false;
  }

  /** Repeats the alarms that an earlier start raised. */
  async repeatAlarms(): Promise<void> {
    this.#rows.outdate();
    for (const row of await this.doubted()) {
      const sender = this.#options
        .senders()
        .find(({ credentials }) => credentials.equals(row.credentials));
      if (!sender) continue;
      const subject = { kind: sender.kind, sender: sender.name, app: row.app };
      this.#alarms.raised(subject, 'dead_tokens', SINCE_EARLIER_START);
    }
  }

  /** Learns that a provider accepted a notification. Writes only if that changes something. */
  async accepted(target: SenderApp): Promise<void> {
    await this.#rows.fresh();
    const key = keyOf(target);
    const text = keyText(key);
    const row = this.#rows.get(key);
    if (row?.is_proven && row.deletions === 0 && !row.has_alarm) return;
    this.#accepted.set(text, (this.#accepted.get(text) ?? 0) + 1);
    await this.#saving(text, () => this.#save(target)).catch((error: unknown) =>
      this.#options.log.warn({ err: error }, 'an accepted notification was not recorded'),
    );
  }

  /** Whether a device may be deleted because the provider calls it dead. Else alarms. */
  async believes(target: SenderApp, reason: string): Promise<boolean> {
    const { kysely } = this.#options;
    const key = keyOf(target);
    const row = await claimDeletion(kysely, key);
    if (row) {
      this.#rows.keep(key, row);
      return true;
    }
    if (await saveDoubt(kysely, key)) this.#alarms.raised(subjectOf(target), 'dead_tokens', reason);
    this.#rows.outdate();
    return false;
  }

  /** Whether a notification was ever accepted with these credentials for this app. */
  async isProven(target: SenderApp): Promise<boolean> {
    await this.#rows.fresh();
    return this.#rows.get(keyOf(target))?.is_proven ?? false;
  }

  /** Writes until no accepted notification is left to write. */
  async #save(target: SenderApp): Promise<void> {
    const key = keyOf(target);
    const text = keyText(key);
    for (let count; (count = this.#accepted.get(text)) !== undefined;) {
      this.#accepted.delete(text);
      const { row, endedAlarm } = await saveAcceptances(this.#options.kysely, key, count);
      this.#rows.keep(key, row);
      if (!endedAlarm) continue;
      this.#alarms.ended(subjectOf(target), 'dead_tokens');
      await this.#options.onTrust(target);
    }
  }
}

const keyOf = ({ sender, app }: SenderApp): HealthKey => ({
  token_kind: sender.kind,
  credentials: sender.credentials,
  app: app ?? '',
});

const subjectOf = ({ sender, app }: SenderApp) => ({
  kind: sender.kind,
  sender: sender.name,
  app: app ?? '',
});
