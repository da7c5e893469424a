/** Counts changes, and lets readers wait for the next one. */
export class Changes {
  #version = 1;
  #next = Promise.withResolvers<void>();

  get version(): number {
    return this.#version;
  }

  note(): void {
    this.#version++;
    this.#next.resolve();
    this.#next = Promise.withResolvers();
  }

  /** Resolves with the version when it differs from `after`, or when `signal` aborts. */
  async since(after: number, signal: AbortSignal): Promise<number> {
    if (after !== this.#version || signal.aborted) return this.#version;
    const aborted = Promise.withResolvers<void>();
    const abort = () => aborted.resolve();
    signal.addEventListener('abort', abort, { once: true });
    await Promise.race([this.#next.promise, aborted.promise]);
    signal.removeEventListener('abort', abort);
    return this.#version;
  }
}
