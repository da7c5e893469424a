import type { Delivery } from '../delivery.ts';
import type { CheckedReply } from '../reply.ts';
import type { JsonValue, Store } from '../stores/store.ts';

/** A delivery that was answered before its handler had ended: the bot owes it a reply. */
export interface PendingReply {
  readonly delivery: Delivery;
  /** What is being said, or was said last; null while nothing was. */
  readonly reply: CheckedReply | null;
}

/** A bot that was stopped for longer owes nothing any more. */
const KEPT_MS = 24 * 60 * 60 * 1000;

/** The replies a bot owes, kept in its store so that they outlive a crash. */
export class PendingReplies {
  readonly #store: Store;
  readonly #prefix: string;

  constructor(store: Store, botEmail: string) {
    this.#store = store;
    this.#prefix = `owed:${botEmail.toLowerCase()}:`;
  }

  async write(owed: PendingReply): Promise<void> {
    // Messages are JSON by nature; the brands of their ids are not part of the value.
    const value = JSON.parse(JSON.stringify(owed)) as JsonValue;
    await this.#store.set(this.#key(owed.delivery), value, { ttlMs: KEPT_MS });
  }

  async settle(delivery: Delivery): Promise<void> {
    await this.#store.delete(this.#key(delivery));
  }

  /** What an earlier run of the program still owes. */
  async open(): Promise<readonly PendingReply[]> {
    const keys = await this.#store.list(this.#prefix);
    const found = await Promise.all(keys.map((key) => this.#store.get(key)));
    return found.flatMap((stored) =>
      stored && isPendingReply(stored.value) ? [stored.value] : [],
    );
  }

  #key({ message }: Delivery): string {
    return `${this.#prefix}${message.id}`;
  }
}

function isPendingReply(value: unknown): value is PendingReply {
  return typeof value === 'object' && value !== null && 'delivery' in value && 'reply' in value;
}
