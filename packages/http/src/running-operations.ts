import { setTimeout as wait } from 'node:timers/promises';

/** The operations under way, so that a stop can wait for them before the database closes. */
export class RunningOperations {
  readonly #running = new Set<Promise<unknown>>();

  async track<Result>(operation: Promise<Result>): Promise<Result> {
    this.#running.add(operation);
    try {
      return await operation;
    } finally {
      this.#running.delete(operation);
    }
  }

  /** Resolves when none is under way, at the latest after `ms`. */
  async ended(ms: number): Promise<void> {
    const inTime = new AbortController();
    const timer = wait(ms, undefined, { signal: inTime.signal }).catch(() => {});
    const isLate = timer.then(() => !inTime.signal.aborted);
    while (this.#running.size > 0) {
      const ends = Promise.allSettled(this.#running).then(() => false);
      if (await Promise.race([ends, isLate])) break;
    }
    inTime.abort();
  }
}
