import { hash } from 'node:crypto';

import type { Clock } from '../clock.ts';
import type { Delivery } from '../delivery.ts';
import type { CheckedReply } from '../rest/reply.ts';
import { type ClaimPlace, type FoundRecord, isShared, readRecord } from '../stores/claim.ts';
import type { JsonValue, Store } from '../stores/store.ts';
import { untilStored } from '../stores/until-stored.ts';

/** A reply as it is stored. */
type StoredReply = {
  readonly content: string;
  readonly widget?: string;
  readonly rest?: readonly string[];
};

/**
 * The state of a delivery. `handling`: its answer is open. `deferred`: its replies go by REST;
 * `reply` is being sent, or was sent last. `answered`: it has ended; `reply` is the one in the answer.
 */
export type DeliveryState =
  | { readonly state: 'handling' }
  | { readonly state: 'deferred'; readonly reply?: StoredReply }
  | { readonly state: 'answered'; readonly reply?: StoredReply };

/** An entry of the list of late deliveries. */
export interface LateDelivery {
  readonly delivery: Delivery;
  /** The key of the entry in the store. */
  readonly listedAt: string;
  /** The reply that was being sent, where the entry has no record beside it; null for none. */
  readonly reply: CheckedReply | null;
}

const HOUR = 60 * 60_000;
/** A delivery that did not end is forgotten after this time, in milliseconds. */
const UNENDED_MS = 24 * HOUR;

/**
 * The records of a bot's deliveries in its store, and the list of those with late replies: that is
 * what a search for the deliveries of dead processes reads, not the records of a whole day.
 */
export class DeliveryRecords {
  readonly store: Store;
  readonly clock: Clock;
  /** Other processes may get the same deliveries: each is claimed before it is handled. */
  readonly isShared: boolean;
  /**
   * How long a repeat is recognised after its delivery has ended, in milliseconds. Servers repeat one
   * for minutes; a store for one process may be small.
   */
  readonly keptMs: number;
  readonly #records: string;
  readonly #late: string;
  readonly #endedBefore: string;

  constructor(store: Store, clock: Clock, botEmail: string) {
    this.store = store;
    this.clock = clock;
    this.isShared = isShared(store);
    this.keptMs = this.isShared ? 24 * HOUR : HOUR;
    this.#records = `delivery:${botEmail.toLowerCase()}:`;
    this.#late = `pending-reply:${botEmail.toLowerCase()}:`;
    this.#endedBefore = `ended:${botEmail.toLowerCase()}`;
  }

  /** Where the record of a delivery is. */
  place(key: number): ClaimPlace {
    const { store, clock } = this;
    return { store, clock, key: `${this.#records}${key}`, ttlMs: UNENDED_MS };
  }

  read(key: number): Promise<FoundRecord<DeliveryState> | undefined> {
    return readRecord<DeliveryState>(this.store, `${this.#records}${key}`);
  }

  /** The deliveries that have records. */
  async keys(): Promise<readonly number[]> {
    const keys = await this.store.list(this.#records);
    return keys.map((key) => Number(key.slice(this.#records.length)));
  }

  /** The late deliveries that a version without records has ended; its list goes within the hour. */
  async endedBefore(): Promise<readonly number[]> {
    const listed = (await this.store.get(this.#endedBefore))?.value;
    return Array.isArray(listed) ? listed.filter((one) => typeof one === 'number') : [];
  }

  /** Lists a delivery as late. Resolves with the key of the entry. */
  async addLate(key: number, delivery: Delivery): Promise<string> {
    const listedAt = `${this.#late}${key}`;
    // The ids of a delivery are branded numbers, which JsonValue does not know.
    const value = JSON.parse(JSON.stringify({ delivery, reply: null })) as JsonValue;
    await this.store.set(listedAt, value, { ttlMs: UNENDED_MS });
    return listedAt;
  }

  /** Repeats the call while the store fails, for ten minutes. */
  async removeLate(listedAt: string): Promise<void> {
    await untilStored(this.clock, () => this.store.delete(listedAt));
  }

  /** The late deliveries of all processes. */
  async late(): Promise<readonly LateDelivery[]> {
    const keys = await this.store.list(this.#late);
    const found = await Promise.all(keys.map((key) => this.store.get(key)));
    return found.flatMap((stored, at) => {
      const [value, listedAt] = [stored?.value as unknown, keys[at]];
      return listedAt !== undefined && isLate(value) ? [{ ...value, listedAt }] : [];
    });
  }
}

const isLate = (value: unknown): value is Omit<LateDelivery, 'listedAt'> =>
  typeof value === 'object' && value !== null && 'delivery' in value && 'reply' in value;

/**
 * Identifies a delivery: the id of its message, or a digest of the id of a change, or of the Slack form,
 * which has no id.
 */
export function keyOf({ message, change }: Delivery): number {
  if (change !== undefined) return digestOf(['change', change.id]);
  if (message.id > 0) return message.id;
  const { sender, timestamp, content } = message;
  const place = 'channel' in message ? message.channel.id : 0;
  return digestOf([sender.id, timestamp, place, content]);
}

const digestOf = (parts: readonly unknown[]): number =>
  -hash('sha256', JSON.stringify(parts), 'buffer').readUIntBE(0, 6);
