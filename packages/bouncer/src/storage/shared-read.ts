const EVERY_MS = 1_000;

/** Reads data that other nodes change, at most once a second; concurrent callers share a read. */
export class SharedRead {
  readonly #read: () => Promise<void>;
  /** On the clock of `performance.now()`. */
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;

  constructor(read: () => Promise<void>) {
    this.#read = read;
  }

  /** Reads unless the last read began less than a second ago. */
  async fresh(): Promise<void> {
    if (performance.now() - this.#readAt < EVERY_MS) return;
    this.#reading ??= this.#start().finally(() => (this.#reading = undefined));
    await this.#reading;
  }

  /** Resolves with a read that began after the call; one that is under way may be older. */
  async again(): Promise<void> {
    await this.#reading?.catch(() => {});
    this.outdate();
    await this.fresh();
  }

  /** Makes the next caller read again. */
  outdate(): void {
    this.#readAt = Number.NEGATIVE_INFINITY;
  }

  async #start(): Promise<void> {
    const readAt = performance.now();
    await this.#read();
    this.#readAt = readAt;
  }
}
