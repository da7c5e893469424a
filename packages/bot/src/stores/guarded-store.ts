import { BotError } from '../bot-error.ts';
import { checkEntry, checkKey } from './check-entry.ts';
import type { JsonValue, Store } from './store.ts';

/** What a kind of storage must be able to do; values are JSON texts, keys are checked. */
export interface Storage {
  readonly get: (key: string) => Awaitable<StoredText | undefined>;
  /** As `set` of a Store: the new version, or undefined where `expected` is not what is there. */
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
  /** Whole milliseconds; undefined: for good. */
  readonly ttlMs: number | undefined;
  readonly expected: string | null | undefined;
}

type Awaitable<T> = T | Promise<T>;

/**
 * A store over some storage: checks what comes in, turns values into JSON texts and back, refuses
 * use after close, and rejects with BotError `store_failed` whatever goes wrong. `name` is how
 * errors call it.
 */
export function guardedStore(name: string, storage: Storage): Store {
  let closing: Promise<void> | undefined;

  async function attempt<T>(doing: string, work: () => Awaitable<T>): Promise<T> {
    if (closing !== undefined) throw new BotError('store_failed', `This ${name} was closed.`);
    return await reported(doing, work);
  }

  async function reported<T>(doing: string, work: () => Awaitable<T>): Promise<T> {
    try {
      return await work();
    } catch (cause) {
      if (cause instanceof BotError) throw cause;
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new BotError('store_failed', `${name} could not ${doing}: ${why}`, { cause });
    }
  }

  return {
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
