import type { Verdict } from '../verdict.ts';

const WINDOW_MS = 300_000;
const SUSPICIOUS = 50;

/**
 * Apple calls every token of the other environment a BadDeviceToken. Should the bouncer talk to the
 * wrong one, it must not delete every iPhone: when most answers of some minutes are of that kind, it
 * is our configuration that is bad, and no token is called dead for it.
 */
export class MassDeath {
  readonly #now: () => number;
  #since = Number.NEGATIVE_INFINITY;
  #bad = 0;
  #good = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** The verdict, unless it is not to be believed. */
  doubt(verdict: Verdict): Verdict {
    if (this.#now() - this.#since > WINDOW_MS) {
      this.#since = this.#now();
      this.#bad = this.#bad >= SUSPICIOUS && this.#bad > this.#good ? SUSPICIOUS : 0;
      this.#good = 0;
    }
    if (verdict.kind === 'accepted') this.#good++;
    if (verdict.kind !== 'dead' || verdict.reason !== 'BadDeviceToken') return verdict;
    this.#bad++;
    return this.#bad > SUSPICIOUS && this.#bad > this.#good
      ? { kind: 'config_error', reason: 'BadDeviceToken for most devices: wrong APNs environment?' }
      : verdict;
  }
}
