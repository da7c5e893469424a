interface Entry<V> {
  readonly key: string;
  value: V;
  older: Entry<V> | undefined;
  newer: Entry<V> | undefined;
}

/**
 * A map that holds so many keys at most, and lets go of the one not used for longest. A chain of
 * its own, and not the order of a Map: deleting and inserting the same busy key again and again
 * makes a Map slower by the size it has.
 */
export function recentlyUsed<V>(maxKeys: number) {
  const entries = new Map<string, Entry<V>>();
  let oldest: Entry<V> | undefined;
  let newest: Entry<V> | undefined;

  function unchain({ older, newer }: Entry<V>): void {
    if (older === undefined) oldest = newer;
    else older.newer = newer;
    if (newer === undefined) newest = older;
    else newer.older = older;
  }

  function use(entry: Entry<V>): void {
    if (newest === entry) return;
    if (entries.has(entry.key)) unchain(entry);
    entry.older = newest;
    entry.newer = undefined;
    if (newest === undefined) oldest = entry;
    else newest.newer = entry;
    newest = entry;
  }

  function remove(key: string): void {
    const entry = entries.get(key);
    if (entry === undefined) return;
    unchain(entry);
    entries.delete(key);
  }

  return {
    get(key: string): V | undefined {
      const entry = entries.get(key);
      if (entry !== undefined) use(entry);
      return entry?.value;
    },
    /** Without counting as use. */
    peek: (key: string): V | undefined => entries.get(key)?.value,
    set(key: string, value: V): void {
      const entry = entries.get(key) ?? { key, value, older: undefined, newer: undefined };
      entry.value = value;
      use(entry);
      entries.set(key, entry);
      if (entries.size > maxKeys && oldest !== undefined) remove(oldest.key);
    },
    delete: remove,
    keys: () => [...entries.keys()],
    clear(): void {
      entries.clear();
      oldest = undefined;
      newest = undefined;
    },
  };
}
