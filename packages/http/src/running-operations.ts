import { setTimeout as wait } from 'node:timers/promises';

/**
 * Counts the operations under way, so that a stop can wait for them before the database closes. It keeps
 * none of them: a set that each request enters and leaves keeps what has left it until a full collection.
 */
export class RunningOperations {
  #count = 0;
  #none: PromiseWithResolvers<void> | undefined;

  async track<Result>(operation: Promise<Result>): Promise<Result> {
    this.#count += 1;
    try {
      return await operation;
    } finally {
      this.#count -= 1;
      if (this.#count === 0) {
        this.#none?.resolve();
        this.#none = undefined;
      }
    }
  }

  /** Resolves when none is under way, at the latest after `ms`. */
  async ended(ms: number): Promise<void> {
    if (this.#count === 0) return;
    this.#none ??= Promise.withResolvers();
    const inTime = new AbortController();
    const timer = wait(ms, undefined, { signal: inTime.signal }).catch(() => {});
    await Promise.race([this.#none.promise, timer]);
    inTime.abort();
  }
}
