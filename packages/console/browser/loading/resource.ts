import { type ReadonlySignal, signal } from '@preact/signals';

/** Something that is fetched, and fetched again when it may have changed. */
export interface Resource<T> {
  /** Undefined until the first answer. The last answer stays while the next one is awaited, or fails. */
  readonly value: ReadonlySignal<T | undefined>;
  /** Why the last fetch failed; undefined after one that succeeded. */
  readonly error: ReadonlySignal<unknown>;
  /**
   * Fetches again. While a fetch runs, one more follows it, however often this is called, so that the
   * last answer is newer than the last call. Resolves after it, also if it failed.
   */
  readonly refresh: () => Promise<void>;
  /** Drops the answer that is awaited. */
  readonly stop: () => void;
}

/** Something that is not fetched before the first `refresh`. */
export function resource<T>(fetch: (signal: AbortSignal) => Promise<T>): Resource<T> {
  const value = signal<T | undefined>(undefined);
  const error = signal<unknown>(undefined);
  let stopping = new AbortController();
  let running: Promise<void> | undefined;
  let isOutdated = false;
  const run = async (signal: AbortSignal) => {
    do {
      isOutdated = false;
      try {
        const answer = await fetch(signal);
        if (signal.aborted) return;
        value.value = answer;
        error.value = undefined;
      } catch (problem) {
        if (signal.aborted) return;
        error.value = problem;
      }
    } while (isOutdated);
    running = undefined;
  };
  return {
    value,
    error,
    refresh: () => {
      if (running) isOutdated = true;
      return (running ??= run(stopping.signal));
    },
    stop: () => {
      stopping.abort();
      stopping = new AbortController();
      running = undefined;
    },
  };
}
