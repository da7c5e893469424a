/** Runs work of the same key one after the other, in the order of the calls. */
export function inOrder(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<void>>();
  return async (key, work) => {
    const before = last.get(key);
    const done = Promise.withResolvers<void>();
    last.set(key, done.promise);
    try {
      await before;
      return await work();
    } finally {
      if (last.get(key) === done.promise) last.delete(key);
      done.resolve();
    }
  };
}
