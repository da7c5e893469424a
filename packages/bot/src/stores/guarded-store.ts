import { BotError } from '../bot-error.ts';
import { checkEntry, checkKey } from './check-entry.ts';
import type { JsonValue, Store } from './store.ts';

/** The operations of a storage. Keys are already checked, and values are JSON texts. */
export interface Storage {
  /** See `Store`. */
  readonly singleProcess?: boolean;
  readonly get: (key: string) => Awaitable<StoredText | undefined>;
  /** Returns the new version, or undefined if the current version is not `expected`. */
  readonly set: (entry: NewEntry) => Awaitable<string | undefined>;
  readonly delete: (key: string) => Awaitable<void>;
  readonly list: (prefix: string) => Awaitable<readonly string[]>;
  readonly close: () => Awaitable<void>;
}

export interface StoredText {
  readonly text: string;
  readonly version: string;
}

export interface NewEntry {
  readonly key: string;
  readonly text: string;
  /** Whole milliseconds; undefined means no expiry. */
  readonly ttlMs: number | undefined;
  /** See `SetOptions`. */
  readonly expected: string | null | undefined;
}

export type Awaitable<T> = T | Promise<T>;

/**
 * Makes a store of a storage: checks keys, values and options, converts values to JSON texts and
 * back, and rejects calls after `close`. Every failure is a BotError `store_failed` whose message
 * begins with `name`.
 */
export function guardedStore(name: string, storage: Storage): Store {
  let closing: Promise<void> | undefined;

  async function attempt<T>(operation: string, work: () => Awaitable<T>): Promise<T> {
    if (closing !== undefined) throw new BotError('store_failed', `This ${name} is closed.`);
    return await reported(operation, work);
  }

  async function reported<T>(operation: string, work: () => Awaitable<T>): Promise<T> {
    try {
      return await work();
    } catch (cause) {
      if (cause instanceof BotError) throw cause;
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new BotError('store_failed', `${name} could not ${operation}: ${why}`, { cause });
    }
  }

  return {
    singleProcess: storage.singleProcess ?? false,
    get: (key) =>
      attempt('read a value', async () => {
        checkKey(key);
        const found = await storage.get(key);
        if (found === undefined) return undefined;
        return { value: JSON.parse(found.text) as JsonValue, version: found.version };
      }),
    set: (key, value, options = {}) =>
      attempt('write a value', () => {
        const { text, ttlMs } = checkEntry(key, value, options);
        return storage.set({ key, text, ttlMs, expected: options.expected });
      }),
    delete: (key) =>
      attempt('delete a value', () => {
        checkKey(key);
        return storage.delete(key);
      }),
    list: (prefix) => attempt('list its keys', () => storage.list(prefix)),
    close: () => (closing ??= reported('be closed', () => storage.close())),
  };
}
