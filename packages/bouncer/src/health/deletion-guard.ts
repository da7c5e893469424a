import type { Logger } from 'pino';

import type { Sender } from '../providers/sender.ts';
import { sharedCalls } from '../storage/shared-calls.ts';
import type { ProviderStates } from './provider-states.ts';
import { keyText, type StateKey, transitions } from './transitions.ts';

interface DeletionGuardOptions {
  readonly states: ProviderStates;
  /** Called when devices whose death was doubted may be tried again. */
  readonly onTrust: (target: SenderApp) => Promise<void>;
  readonly log: Pick<Logger, 'warn'>;
}

/** A sender, for the phones of one app. */
export interface SenderApp {
  readonly sender: Sender;
  /** Null for phones whose registration names no app. */
  readonly app: string | null;
}

interface DeadToken {
  /** Its hash: the same for all registrations with the token. */
  readonly token: string;
  readonly reason: string;
}

interface Judgement {
  readonly isBelieved: Promise<boolean>;
  /** By `performance.now()`. */
  readonly until: number;
}

/**
 * How long a token whose death is believed is not counted again, in milliseconds: until its other
 * registrations are marked as dead, with those requests that were under way.
 */
const JUDGED_MS = 60_000;

/**
 * Decides whether a provider is believed that a device is dead, for all nodes and across restarts. With
 * the wrong environment, project or app, or in an outage, a provider calls every token dead. So nothing
 * is deleted before a notification was accepted with the same credentials for the same app, and then
 * only a share of the app's devices until more are accepted. Beyond that, devices are kept and the
 * operator is alarmed once.
 */
export class DeletionGuard {
  readonly #options: DeletionGuardOptions;
  /** Accepted notifications that are not in the row yet. */
  readonly #accepted = new Map<string, number>();
  readonly #saving = sharedCalls<void>();
  /** What was decided about dead tokens, by sender and token. */
  readonly #judged = new Map<string, Judgement>();

  constructor(options: DeletionGuardOptions) {
    this.#options = options;
  }

  /** Whether dead devices of the app are doubted now: also sees what another node wrote before the call. */
  async isDoubted(target: SenderApp): Promise<boolean> {
    const { states } = this.#options;
    await states.again();
    return states.get(keyOf(target))?.is_doubted ?? false;
  }

  /** Learns that a provider accepted a notification. Writes only if that changes something. */
  async accepted(target: SenderApp): Promise<void> {
    const { states, log } = this.#options;
    await states.fresh();
    const key = keyOf(target);
    const text = keyText(key);
    const row = states.get(key);
    if (row?.is_proven && row.deletions === 0 && !row.is_doubted) return;
    this.#accepted.set(text, (this.#accepted.get(text) ?? 0) + 1);
    await this.#saving(text, () => this.#save(target)).catch((error: unknown) =>
      log.warn({ err: error }, 'an accepted notification was not recorded'),
    );
  }

  /**
   * Whether the devices with a token may be deleted because the provider calls it dead. Else alarms. A
   * token counts once, also if several of its registrations are refused at the same time.
   */
  async believes(target: SenderApp, { token, reason }: DeadToken): Promise<boolean> {
    const now = performance.now();
    for (const [key, { until }] of this.#judged) {
      if (until > now) break;
      this.#judged.delete(key);
    }
    const key = `${keyText(keyOf(target))} ${token}`;
    const earlier = this.#judged.get(key);
    if (earlier) return await earlier.isBelieved;
    const isBelieved = this.#judge(target, reason);
    this.#judged.set(key, { isBelieved, until: now + JUDGED_MS });
    // A doubt ends when the provider accepts something: the next verdict is judged anew.
    const forget = () => this.#judged.delete(key);
    isBelieved.then((is) => is || forget(), forget);
    return await isBelieved;
  }

  async #judge(target: SenderApp, reason: string): Promise<boolean> {
    const { states } = this.#options;
    const about = { key: keyOf(target), subject: subjectOf(target), reason };
    if (await states.change({ ...about, transition: transitions.deletion(about.key) })) return true;
    await states.change({ ...about, transition: transitions.doubt() });
    states.outdate();
    return false;
  }

  /** Whether a notification was ever accepted with these credentials for this app. */
  async isProven(target: SenderApp): Promise<boolean> {
    const { states } = this.#options;
    await states.fresh();
    return states.get(keyOf(target))?.is_proven ?? false;
  }

  /** Writes until no accepted notification is left to write. */
  async #save(target: SenderApp): Promise<void> {
    const { states, onTrust } = this.#options;
    const about = { key: keyOf(target), subject: subjectOf(target) };
    const text = keyText(about.key);
    for (let count; (count = this.#accepted.get(text)) !== undefined;) {
      this.#accepted.delete(text);
      const saved = await states.change({ ...about, transition: transitions.acceptance(count) });
      if (saved?.former.is_doubted && !saved.row.is_doubted) await onTrust(target);
    }
  }
}

const keyOf = ({ sender, app }: SenderApp): StateKey => ({
  token_kind: sender.kind,
  credentials: sender.credentials,
  app: app ?? '',
});

const subjectOf = ({ sender, app }: SenderApp) => ({
  kind: sender.kind,
  sender: sender.name,
  app: app ?? '',
});
