/**
 * Puts on disk what was committed without waiting for the disk, many commits with one flush. A
 * flush that is under way may have started too early for a caller; they share the next one.
 */
export class GroupFlush {
  readonly #flush: () => Promise<unknown>;
  #running: Promise<unknown> | undefined;
  #next: Promise<void> | undefined;

  constructor(flush: () => Promise<unknown>) {
    this.#flush = flush;
  }

  /** Resolves when everything committed before the call is on disk; rejects if that is not certain. */
  durable(): Promise<void> {
    this.#next ??= this.#afterRunning();
    return this.#next;
  }

  async #afterRunning(): Promise<void> {
    await this.#running?.catch(() => undefined);
    // Callers up to here, before the flush leaves, are covered by it.
    this.#next = undefined;
    const running = this.#flush();
    this.#running = running;
    await running;
  }
}
