import { sleep } from '../clock.ts';
import type { Delivery } from '../delivery.ts';
import type { CheckedReply } from '../rest/reply.ts';
import { type Claim, ClaimWatch, takeClaim } from '../stores/claim.ts';
import type { DeliveryRecords, DeliveryState, LateDelivery } from './delivery-records.ts';

/** A late delivery whose process has died. */
export interface LeftDelivery extends LateDelivery {
  /** It has seen that the claim of the dead process is abandoned. */
  readonly watch: ClaimWatch;
}

interface RecordOptions {
  readonly records: DeliveryRecords;
  readonly delivery: Delivery;
  /** Identifies the delivery. */
  readonly key: number;
  /** All replies go by REST: no answer to the delivery is open. */
  readonly byRest: boolean;
  /** The delivery was left by another process. */
  readonly left: LeftDelivery | undefined;
  /** How long the store may fail before the delivery is given up, in milliseconds. */
  readonly withinMs: number;
  /** Called when another process has answered the delivery, with the reply in its answer. */
  readonly onAnswered: (reply: CheckedReply | undefined) => void;
  /** Called if another process takes the delivery over. */
  readonly onLost: () => void;
}

/** Wait between two looks at the claim of another process, in milliseconds. */
const LOOK_MS = 500;

/**
 * The record of one delivery, which outlives its process: another one goes on with the delivery if
 * this one dies. In a store for several processes it is made when the delivery arrives, otherwise
 * when its replies become late: a delivery that is answered in time costs nothing then.
 */
export class DeliveryRecord {
  readonly #options: RecordOptions;
  #claiming: Promise<boolean> | undefined;
  #claim: Claim<DeliveryState> | undefined;
  #isOurs: boolean;
  /** Resolves when the store knows that the replies are late. Undefined while they are not. */
  #deferring: Promise<void> | undefined;
  /** The entry in the list of late deliveries. */
  #listedAt: string | undefined;

  constructor(options: RecordOptions) {
    this.#options = options;
    this.#isOurs = !options.records.isShared;
    this.#listedAt = options.left?.listedAt;
  }

  /** Whether this process handles the delivery, as far as it is known. */
  get isOurs(): boolean {
    return this.#isOurs;
  }

  /**
   * Claims the delivery, so that of the processes that share a store one handles it. While another
   * process does, waits for the end, or takes the delivery over from one that has died. Resolves with
   * whether this process handles it. Rejects if the store fails for longer than `withinMs`.
   */
  claim(): Promise<boolean> {
    return (this.#claiming ??= this.#takeOrWait());
  }

  /** The reply that another process was sending when it died. Known after `claim`. */
  get unsent(): CheckedReply | undefined {
    const before = this.#claim?.value;
    return before?.state === 'deferred' ? before.reply : undefined;
  }

  /** From now on all replies go by REST; `anySent`: a reply was sent already. Rejects if the store fails. */
  defer(anySent: boolean): Promise<void> {
    return (this.#deferring = this.#defer(anySent));
  }

  /** Notes the reply that is being sent. False if another process has taken the delivery over. */
  async noteSending(reply: CheckedReply): Promise<boolean> {
    const claim = this.#claim;
    if (claim === undefined) return true;
    const isLate = this.#options.byRest || this.#deferring !== undefined;
    if (!isLate) return claim.isHeld();
    return claim.write({ state: 'deferred', reply }).catch(() => claim.isHeld());
  }

  /** Records that the delivery has ended; `reply` is the one in the answer. Has no effect for one of another process. */
  async end(reply: CheckedReply | undefined): Promise<void> {
    const { records } = this.#options;
    if (!this.#isOurs) return;
    // A write that is on its way would come after the last one.
    await this.#deferring?.catch(() => {});
    const answered: DeliveryState = { state: 'answered', ...(reply && { reply }) };
    const isEnded = await this.#claim?.end(answered, { ttlMs: records.keptMs });
    if (isEnded !== false && this.#listedAt !== undefined) await records.removeLate(this.#listedAt);
  }

  /** Leaves the delivery to another process, or to the next run of this one. */
  leave(): void {
    this.#claim?.abandon();
  }

  async #takeOrWait(): Promise<boolean> {
    const { records, key, byRest, left, withinMs, onAnswered } = this.#options;
    if (this.#isOurs && left === undefined) return true;
    const { clock } = records;
    const place = records.place(key);
    const watch = left?.watch ?? new ClaimWatch(place);
    let exists = left !== undefined;
    let failingSince: number | undefined;
    for (;;) {
      try {
        if (!exists && this.#hold(await takeClaim(place, this.#initial, null))) return true;
        const found = await records.read(key);
        failingSince = undefined;
        exists = found !== undefined;
        if (found === undefined) continue;
        const { value, version } = found;
        // The process that has deferred a delivery sends its replies by REST.
        const isAnswered = value.state === 'answered' || (value.state === 'deferred' && !byRest);
        if (isAnswered) {
          onAnswered(value.state === 'answered' ? value.reply : undefined);
          return false;
        }
        if (watch.isAbandoned(found)) {
          if (this.#hold(await takeClaim(place, value, version))) return true;
        } else if (left !== undefined) return false;
      } catch (error) {
        watch.reset();
        failingSince ??= clock.now();
        if (clock.now() - failingSince >= withinMs) throw error;
      }
      await sleep(clock, LOOK_MS);
    }
  }

  /** The state of a delivery that has no record yet. */
  get #initial(): DeliveryState {
    const { byRest, left } = this.#options;
    if (!byRest) return { state: 'handling' };
    return { state: 'deferred', ...(left?.reply && { reply: left.reply }) };
  }

  #hold(claim: Claim<DeliveryState> | undefined): boolean {
    if (claim === undefined) return false;
    claim.onLost = this.#options.onLost;
    this.#claim = claim;
    this.#isOurs = true;
    return true;
  }

  async #defer(anySent: boolean): Promise<void> {
    const { records, key, delivery, onLost } = this.#options;
    // Before the record: a delivery that is late by its record and not in the list would be found by nobody.
    this.#listedAt = await records.addLate(key, delivery);
    const late: DeliveryState = { state: 'deferred', ...(anySent && { reply: { content: '' } }) };
    if (this.#claim !== undefined) await this.#claim.write(late);
    else if (!this.#hold(await takeClaim(records.place(key), late, null))) onLost();
  }
}
