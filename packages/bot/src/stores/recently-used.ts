interface Entry<V> {
  readonly key: string;
  value: V;
  older: Entry<V> | undefined;
  newer: Entry<V> | undefined;
}

/**
 * A map of at most `maxKeys` keys that evicts the least recently used one. The order is a linked list: in
 * a Map of 5000 keys, to delete a key and insert it again takes 14 us, a fifth of a delivery. `lru-cache`
 * would add 3.6 MB on disk and 5 ms to each start of a bot.
 */
export function recentlyUsed<V>(maxKeys: number) {
  const entries = new Map<string, Entry<V>>();
  let oldest: Entry<V> | undefined;
  let newest: Entry<V> | undefined;

  function unlink({ older, newer }: Entry<V>): void {
    if (older === undefined) oldest = newer;
    else older.newer = newer;
    if (newer === undefined) newest = older;
    else newer.older = older;
  }

  function use(entry: Entry<V>): void {
    if (newest === entry) return;
    if (entries.has(entry.key)) unlink(entry);
    entry.older = newest;
    entry.newer = undefined;
    if (newest === undefined) oldest = entry;
    else newest.newer = entry;
    newest = entry;
  }

  function remove(key: string): void {
    const entry = entries.get(key);
    if (entry === undefined) return;
    unlink(entry);
    entries.delete(key);
  }

  return {
    get(key: string): V | undefined {
      const entry = entries.get(key);
      if (entry !== undefined) use(entry);
      return entry?.value;
    },
    /** Does not count as a use. */
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
