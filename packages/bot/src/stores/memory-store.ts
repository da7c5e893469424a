import { BotError } from '../bot-error.ts';
import { guardedStore, type StoredText } from './guarded-store.ts';
import { recentlyUsed } from './recently-used.ts';
import type { Store } from './store.ts';

export interface MemoryStoreOptions {
  /** How many keys it holds at most; beyond, the one not used for longest goes. */
  readonly maxKeys?: number;
  readonly now?: () => number;
}

/**
 * A store in the memory of this process: nothing survives a restart, and what was not used for
 * longest goes when it is full (10 000 keys unless told). It runs no timers.
 */
export function memoryStore({ maxKeys = 10_000, now = Date.now }: MemoryStoreOptions = {}): Store {
  if (!(maxKeys >= 1)) throw new BotError('config_invalid', 'maxKeys of memoryStore is 1 or more.');
  const entries = recentlyUsed<StoredText & { readonly expiresAt: number }>(maxKeys);
  let versions = 0;

  function alive(key: string) {
    const entry = entries.peek(key);
    if (entry === undefined || entry.expiresAt > now()) return entry;
    entries.delete(key);
    return undefined;
  }

  return guardedStore('memoryStore', {
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
