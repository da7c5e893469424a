/** Runs a call unless one with the same key runs already: then gives the result of that one. */
export type ShareCall<T> = (key: string, call: () => Promise<T>) => Promise<T>;

/** Makes calls of one kind share their results while they run. A failed call fails for all who share it. */
export function sharedCalls<T>(): ShareCall<T> {
  const running = new Map<string, Promise<T>>();
  return (key, call) => {
    const known = running.get(key);
    if (known) return known;
    const started = call().finally(() => running.delete(key));
    running.set(key, started);
    return started;
  };
}
