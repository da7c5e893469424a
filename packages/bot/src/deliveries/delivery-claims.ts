import { type Clock, sleep } from '../clock.ts';
import { type Claim, ClaimWatch, readRecord, takeClaim } from '../stores/claim.ts';
import type { Store } from '../stores/store.ts';

/** A reply as it is stored. */
type StoredReply = {
  readonly content: string;
  readonly widget?: string;
  readonly rest?: readonly string[];
};

/**
 * The state of a delivery that several processes may receive. `handling`: its answer is open.
 * `deferred`: its replies go by REST; `reply` is being sent, or was sent last. `answered`: it has
 * ended; `reply` is the one in the answer.
 */
export type DeliveryState =
  | { readonly state: 'handling' }
  | { readonly state: 'deferred'; readonly reply?: StoredReply }
  | { readonly state: 'answered'; readonly reply?: StoredReply };

export type DeliveryClaim = Claim<DeliveryState>;

/**
 * Either this process handles the delivery with the claim, or another process has handled it with
 * this reply.
 */
export type ClaimResult =
  | { readonly claim: DeliveryClaim; readonly reply?: undefined }
  | { readonly claim?: undefined; readonly reply: StoredReply | undefined };

/** Wait between two looks at the claim of another process, in milliseconds. */
const LOOK_MS = 500;
/** Repeats of a delivery are recognised for this time, in milliseconds. */
const KEPT_MS = 24 * 60 * 60_000;

interface ClaimOptions {
  /** All replies go by REST: no answer to the delivery is open. */
  readonly byRest: boolean;
  /** How long the store may fail, in milliseconds. */
  readonly withinMs: number;
}

/** Claims deliveries, so that of the processes that share a store one handles each. */
export class DeliveryClaims {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #prefix: string;

  constructor(store: Store, clock: Clock, botEmail: string) {
    this.#store = store;
    this.#clock = clock;
    this.#prefix = `delivery:${botEmail.toLowerCase()}:`;
  }

  /**
   * Claims a delivery. While another process handles it, waits for the end, or takes the delivery
   * over from a process that has died. Rejects if the store fails for longer than `withinMs`.
   */
  async claim(delivery: number, { byRest, withinMs }: ClaimOptions): Promise<ClaimResult> {
    const place = { store: this.#store, clock: this.#clock, key: `${this.#prefix}${delivery}` };
    const initial: DeliveryState = { state: byRest ? 'deferred' : 'handling' };
    const watch = new ClaimWatch(this.#clock);
    let failingSince: number | undefined;
    let exists = false;
    for (;;) {
      try {
        const created = exists ? undefined : await takeClaim<DeliveryState>(place, initial, null);
        if (created !== undefined) return { claim: created };
        const found = await readRecord<DeliveryState>(this.#store, place.key);
        failingSince = undefined;
        exists = found !== undefined;
        if (found === undefined) continue;
        const { value, version } = found;
        if (value.state === 'answered') return { reply: value.reply };
        // The process that has deferred the delivery sends its replies by REST.
        if (value.state === 'deferred' && !byRest) return { reply: undefined };
        if (watch.isAbandoned(found)) {
          const claim = await takeClaim(place, value, version);
          if (claim !== undefined) return { claim };
        }
      } catch (error) {
        watch.reset();
        failingSince ??= this.#clock.now();
        if (this.#clock.now() - failingSince >= withinMs) throw error;
      }
      await sleep(this.#clock, LOOK_MS);
    }
  }

  /**
   * Ends a claim: later repeats of the delivery get the reply of its answer. False if another process
   * has taken the delivery over.
   */
  end(claim: DeliveryClaim, reply: StoredReply | undefined): Promise<boolean> {
    const answered = { state: 'answered' as const, ...(reply === undefined ? {} : { reply }) };
    return claim.end(answered, { ttlMs: KEPT_MS });
  }
}
