import type { Clock } from '../clock.ts';
import type { Delivery } from '../delivery.ts';
import type { CheckedReply } from '../reply.ts';
import type { JsonValue, Store } from '../stores/store.ts';
import { untilStored } from '../stores/until-stored.ts';

/** A delivery that was answered before its handler had ended: its reply is still to be sent. */
export interface PendingReply {
  readonly delivery: Delivery;
  /** The reply that is being sent, or was sent last; null before the first. */
  readonly reply: CheckedReply | null;
}

/** A reply is dropped after this time, in milliseconds. */
const KEPT_MS = 24 * 60 * 60 * 1000;

/** The pending replies of a bot, kept in its store so that they outlive a crash. */
export class PendingReplies {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #prefix: string;

  constructor(store: Store, clock: Clock, botEmail: string) {
    this.#store = store;
    this.#clock = clock;
    this.#prefix = `pending-reply:${botEmail.toLowerCase()}:`;
  }

  async write(pending: PendingReply): Promise<void> {
    // The ids of a delivery are branded numbers, which JsonValue does not know.
    const value = JSON.parse(JSON.stringify(pending)) as JsonValue;
    await this.#store.set(this.#key(pending.delivery), value, { ttlMs: KEPT_MS });
  }

  /** Removes a pending reply. Repeats the call while the store fails, for ten minutes. */
  async settle(delivery: Delivery): Promise<void> {
    await untilStored(this.#clock, () => this.#store.delete(this.#key(delivery)));
  }

  /** The pending replies of all processes. */
  async list(): Promise<readonly PendingReply[]> {
    const keys = await this.#store.list(this.#prefix);
    const found = await Promise.all(keys.map((key) => this.#store.get(key)));
    return found.flatMap((stored) =>
      stored && isPendingReply(stored.value) ? [stored.value] : [],
    );
  }

  #key({ message, change }: Delivery): string {
    return `${this.#prefix}${message.id}${change === undefined ? '' : `:${change.id}`}`;
  }
}

function isPendingReply(value: unknown): value is PendingReply {
  return typeof value === 'object' && value !== null && 'delivery' in value && 'reply' in value;
}
