import type { Delivery } from '../delivery.ts';
import type { CheckedReply } from '../reply.ts';
import type { DeliveryClaim, DeliveryClaims } from './delivery-claims.ts';
import type { EndedDeliveries } from './ended-deliveries.ts';
import type { PendingReplies, PendingReply } from './pending-replies.ts';

/** The records that a bot stores about its deliveries. */
export interface StoredDeliveries {
  readonly pending: PendingReplies;
  /** Undefined for a store that only one process can use. */
  readonly claims: DeliveryClaims | undefined;
  /** Undefined for a store with claims, which are kept. */
  readonly ended: EndedDeliveries | undefined;
}

interface ProgressOptions {
  readonly stored: StoredDeliveries;
  readonly delivery: Delivery;
  /** Identifies the delivery. */
  readonly key: number;
  /** All replies go by REST: no answer to the delivery is open. */
  readonly byRest: boolean;
  /** The pending reply that another process has left. */
  readonly left: PendingReply | undefined;
  /** How long the store may fail before the delivery is given up, in milliseconds. */
  readonly withinMs: number;
  /** Called when another process has answered the delivery, with the reply in its answer. */
  readonly onAnswered: (reply: CheckedReply | undefined) => void;
  /** Called if another process takes the delivery over. */
  readonly onLost: () => void;
}

/** The stored progress of a delivery: another process goes on with it if this one dies. */
export class DeliveryProgress {
  /** Resolves with whether this process handles the delivery. Rejects if the store fails. */
  readonly claimed: Promise<boolean>;
  readonly #options: ProgressOptions;
  #deferred: boolean;
  #claim: DeliveryClaim | undefined;
  #isOurs: boolean;
  /** The writes of the pending reply, one after the other. Undefined before the first. */
  #written: Promise<void> | undefined;

  constructor(options: ProgressOptions) {
    this.#options = options;
    this.#deferred = options.byRest;
    const { claims } = options.stored;
    this.#isOurs = claims === undefined;
    this.claimed = claims === undefined ? Promise.resolve(true) : this.#takeClaim(claims);
    // Awaited later, when the run has its turn: until then a rejection counts as handled.
    this.claimed.catch(() => {});
  }

  /** Whether this process handles the delivery, as far as it is known. */
  get isOurs(): boolean {
    return this.#isOurs;
  }

  /** The reply that another process was sending when it died. */
  get unsent(): CheckedReply | undefined {
    const before = this.#claim?.value;
    return before?.state === 'deferred' ? before.reply : (this.#options.left?.reply ?? undefined);
  }

  /** From now on all replies go by REST; `anySent`: a reply was sent already. Rejects if the store fails. */
  async defer(anySent: boolean): Promise<void> {
    this.#deferred = true;
    const reply = anySent ? { content: '' } : undefined;
    await this.#writePending(reply ?? null);
    await this.#claim?.write({ state: 'deferred', ...(reply && { reply }) });
  }

  /** Notes the reply that is being sent. False if another process has taken the delivery over. */
  async noteSending(reply: CheckedReply): Promise<boolean> {
    const claim = this.#claim;
    if (claim === undefined) {
      // After a crash of a store for one process, the reply would be sent again.
      if (this.#isPending) await this.#writePending(reply).catch(() => {});
      return true;
    }
    if (!this.#deferred) return claim.isHeld();
    return claim.write({ state: 'deferred', reply }).catch(() => claim.isHeld());
  }

  /** Records that the delivery has ended; `reply` is the one in the answer. */
  async settle(reply: CheckedReply | undefined): Promise<void> {
    const { stored, delivery, key } = this.#options;
    if (this.#claim !== undefined) {
      const isNoted = await stored.claims?.end(this.#claim, reply);
      if (isNoted === false) return;
    }
    if (!this.#isPending) return;
    // A write that is on its way would come after the removal.
    await this.#written?.catch(() => {});
    await stored.ended?.note(key);
    await stored.pending.settle(delivery);
  }

  /** Leaves the delivery to another process, or to the next run of this one. */
  leave(): void {
    this.#claim?.abandon();
  }

  get #isPending(): boolean {
    return this.#written !== undefined || this.#options.left !== undefined;
  }

  async #takeClaim(claims: DeliveryClaims): Promise<boolean> {
    const { key, byRest, withinMs, onAnswered, onLost } = this.#options;
    const { claim, reply } = await claims.claim(key, { byRest, withinMs });
    if (claim === undefined) {
      onAnswered(reply);
      return false;
    }
    claim.onLost = onLost;
    this.#claim = claim;
    this.#isOurs = true;
    return true;
  }

  async #writePending(reply: CheckedReply | null): Promise<void> {
    const { stored, delivery } = this.#options;
    const write = () => stored.pending.write({ delivery, reply });
    this.#written = (this.#written ?? Promise.resolve()).then(write, write);
    await this.#written;
  }
}
