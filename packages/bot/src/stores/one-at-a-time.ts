/** Runs work on the same key in the order it came, and work on different keys side by side. */
export function oneAtATime() {
  const last = new Map<string, Promise<unknown>>();

  async function inOrder<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = last.get(key);
    const mine = (async () => {
      await before?.catch(() => {});
      return await work();
    })();
    last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (last.get(key) === mine) last.delete(key);
    }
  }

  /** Resolves when nothing runs or waits. */
  inOrder.idle = async (): Promise<void> => {
    while (last.size > 0) await Promise.allSettled(last.values());
  };
  return inOrder;
}
