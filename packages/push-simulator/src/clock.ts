/** The simulator's clock. A shift moves the clocks of the providers against those of senders. */
export class Clock {
  /** Milliseconds ahead of the machine's clock; negative: behind. */
  offset_ms = 0;
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Unix time in milliseconds. */
  readonly now = (): number => this.#now() + this.offset_ms;
}
