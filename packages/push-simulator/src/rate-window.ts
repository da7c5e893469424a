const minute = 60_000;

/** Limits requests per key and minute. */
export class RateWindow {
  readonly #limit: number;
  readonly #now: () => number;
  #counts = new Map<string, number>();
  #startedAt: number;

  constructor(limit: number | undefined, now: () => number) {
    this.#limit = limit ?? Number.POSITIVE_INFINITY;
    this.#now = now;
    this.#startedAt = now();
  }

  /** Undefined if the request is within the limit, else the seconds until the window ends. */
  exceeded(key: string): number | undefined {
    if (this.#limit === Number.POSITIVE_INFINITY) return undefined;
    const now = this.#now();
    if (now - this.#startedAt >= minute || now < this.#startedAt) {
      this.#counts = new Map();
      this.#startedAt = now;
    }
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return count > this.#limit ? Math.ceil((this.#startedAt + minute - now) / 1000) : undefined;
  }
}
