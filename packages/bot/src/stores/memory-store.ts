import { BotError } from '../bot-error.ts';
import { guardedStore, type StoredText } from './guarded-store.ts';
import { recentlyUsed } from './recently-used.ts';
import type { Store } from './store.ts';

export interface MemoryStoreOptions {
  /** The default is 10 000. A write beyond it evicts the least recently used key. */
  readonly maxKeys?: number;
  /** Milliseconds since 1970; the default is `Date.now`. */
  readonly now?: () => number;
}

/**
 * A store in the memory of this process. A restart loses its entries. When `maxKeys` is reached, a
 * new key evicts the least recently used one. Uses no timers.
 */
export function memoryStore({ maxKeys = 10_000, now = Date.now }: MemoryStoreOptions = {}): Store {
  if (!(maxKeys >= 1))
    throw new BotError('config_invalid', 'maxKeys of memoryStore must be at least 1.');
  const entries = recentlyUsed<StoredText & { readonly expiresAt: number }>(maxKeys);
  let versions = 0;

  function alive(key: string) {
    const entry = entries.peek(key);
    if (entry === undefined || entry.expiresAt > now()) return entry;
    entries.delete(key);
    return undefined;
  }

  return guardedStore('memoryStore', {
    singleProcess: true,
    get: (key) => alive(key) && entries.get(key),
    set({ key, text, ttlMs = Infinity, expected }) {
      const found = alive(key)?.version ?? null;
      if (expected !== undefined && expected !== found) return undefined;
      const version = String(++versions);
      entries.set(key, { text, version, expiresAt: now() + ttlMs });
      return version;
    },
    delete: (key) => entries.delete(key),
    list: (prefix) => entries.keys().filter((key) => key.startsWith(prefix) && alive(key)),
    close: () => entries.clear(),
  });
}
