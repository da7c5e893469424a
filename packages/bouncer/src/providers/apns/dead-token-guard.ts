import type { ProviderVerdict } from '../provider-verdict.ts';

const WINDOW_MS = 300_000;
const THRESHOLD = 50;

/**
 * Apple answers BadDeviceToken for every token of the other environment. A bouncer configured for
 * the wrong environment must not delete every iPhone: if more than 50 answers within five minutes
 * are BadDeviceToken, and more than are accepted, the verdict is a configuration error.
 */
export class DeadTokenGuard {
  readonly #now: () => number;
  #windowStart = Number.NEGATIVE_INFINITY;
  #badTokens = 0;
  #accepted = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Counts the verdict; returns it, or a configuration error instead of `dead`. */
  check(verdict: ProviderVerdict): ProviderVerdict {
    if (this.#now() - this.#windowStart > WINDOW_MS) this.#startWindow();
    if (verdict.kind === 'accepted') this.#accepted++;
    if (verdict.kind !== 'dead' || verdict.reason !== 'BadDeviceToken') return verdict;
    this.#badTokens++;
    return this.#badTokens > THRESHOLD && this.#badTokens > this.#accepted
      ? { kind: 'config_error', reason: 'BadDeviceToken for most devices: wrong APNs environment?' }
      : verdict;
  }

  /** A window that follows one with too many bad tokens starts at the threshold. */
  #startWindow(): void {
    this.#windowStart = this.#now();
    const isSuspicious = this.#badTokens >= THRESHOLD && this.#badTokens > this.#accepted;
    this.#badTokens = isSuspicious ? THRESHOLD : 0;
    this.#accepted = 0;
  }
}
