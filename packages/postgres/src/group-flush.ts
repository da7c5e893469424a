/**
 * Flushes commits that did not wait for the disk, many with one flush. A running flush may have
 * started before a caller's commit: all such callers share the next one.
 */
export class GroupFlush {
  readonly #flush: () => Promise<unknown>;
  #running: Promise<unknown> | undefined;
  #next: Promise<void> | undefined;

  constructor(flush: () => Promise<unknown>) {
    this.#flush = flush;
  }

  /** Resolves when everything committed before the call is on disk. Rejects if the flush fails. */
  durable(): Promise<void> {
    this.#next ??= this.#afterRunning();
    return this.#next;
  }

  async #afterRunning(): Promise<void> {
    await this.#running?.catch(() => undefined);
    // The next flush covers all callers up to here.
    this.#next = undefined;
    const running = this.#flush();
    this.#running = running;
    await running;
  }
}
