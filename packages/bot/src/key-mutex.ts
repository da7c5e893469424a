export interface KeyMutex {
  /** Runs the work after all earlier work of the same key has ended. */
  <T>(key: string, work: () => Promise<T>): Promise<T>;
  /** Resolves when no work runs or waits. */
  readonly idle: () => Promise<void>;
}

/** Runs work of one key in the order of the calls, and work of different keys side by side. */
export function keyMutex(): KeyMutex {
  const last = new Map<string, Promise<unknown>>();

  async function inOrder<T>(key: string, work: () => Promise<T>): Promise<T> {
    const previous = last.get(key);
    const current = (async () => {
      await previous?.catch(() => {});
      return await work();
    })();
    last.set(key, current);
    try {
      return await current;
    } finally {
      if (last.get(key) === current) last.delete(key);
    }
  }

  const idle = async (): Promise<void> => {
    while (last.size > 0) await Promise.allSettled(last.values());
  };
  return Object.assign(inOrder, { idle });
}
