import { randomUUID } from 'node:crypto';

import { keyMutex } from '../key-mutex.ts';
import { guardedStore } from './guarded-store.ts';
import type { Store } from './store.ts';

/**
 * The bot's storage on the chat server (spec, `/bot_storage`). For a missing key, `get` and `remove`
 * either leave it out or reject with an error whose `code`, or whose cause's `code`, is `BAD_REQUEST`.
 */
export interface BotStorage {
  /** Returns all entries if `keys` is undefined. */
  get(keys?: readonly string[]): Promise<Readonly<Record<string, string>>>;
  put(entries: Readonly<Record<string, string>>): Promise<unknown>;
  remove(keys: readonly string[]): Promise<unknown>;
}

export interface ServerStoreOptions {
  /** Begins every key, so that other entries of the bot are left alone; the default is `bellhop:`. */
  readonly prefix?: string;
}

const hour = 3_600_000;

/**
 * A store in the bot's storage on the chat server, for a bot in one process with little traffic. The
 * server cannot compare and write in one request, so this store reads, compares and then writes, one
 * write at a time. If two processes write one key at the same moment, both writes may succeed and
 * one value is lost, and both answer a message that reaches both. A read takes one request, a conditional write two; the server's rate limit and
 * the size limit of the storage apply. A write deletes expired entries at most once an hour; it then
 * reads the whole storage.
 */
export function serverStore(
  api: BotStorage,
  { prefix = 'bellhop:' }: ServerStoreOptions = {},
): Store {
  const locked = keyMutex();
  const write = <T>(work: () => Promise<T>) => locked('all', work);
  let sweptAt = -Infinity;

  const isAlive = ({ expiresAt }: ServerEntry) => expiresAt > Date.now();

  async function read(key: string): Promise<ServerEntry | undefined> {
    const found = await api.get([prefix + key]).catch(undefinedIfMissing);
    const entry = readServerEntry(found?.[prefix + key]);
    return entry !== undefined && isAlive(entry) ? entry : undefined;
  }

  async function sweep(): Promise<void> {
    if (Date.now() - sweptAt < hour) return;
    sweptAt = Date.now();
    const expired = Object.entries(await api.get()).filter(([key, text]) => {
      const entry = key.startsWith(prefix) ? readServerEntry(text) : undefined;
      return entry !== undefined && !isAlive(entry);
    });
    const keys = expired.map(([key]) => key);
    // If another client has removed one of them the server refuses all: the next sweep removes them.
    if (keys.length > 0) await api.remove(keys).catch(undefinedIfMissing);
  }

  return guardedStore('serverStore', {
    singleProcess: true,
    get: read,
    set: ({ key, text, ttlMs, expected }) =>
      write(async () => {
        await sweep();
        if (expected !== undefined && expected !== ((await read(key))?.version ?? null)) return;
        const version = randomUUID();
        const expiresAt = ttlMs === undefined ? '' : String(Date.now() + ttlMs);
        await api.put({ [prefix + key]: `${version} ${expiresAt} ${text}` });
        return version;
      }),
    delete: (key) =>
      write(async () => {
        await api.remove([prefix + key]).catch(undefinedIfMissing);
      }),
    async list(start) {
      const keys: string[] = [];
      for (const [key, text] of Object.entries(await api.get())) {
        if (!key.startsWith(prefix + start)) continue;
        const entry = readServerEntry(text);
        if (entry !== undefined && isAlive(entry)) keys.push(key.slice(prefix.length));
      }
      return keys;
    },
    close: () => locked.idle(),
  });
}

/** Undefined for the error of a missing key; rethrows any other error. */
function undefinedIfMissing(error: unknown): undefined {
  if (isBadRequest(error) || (error instanceof Error && isBadRequest(error.cause)))
    return undefined;
  throw error;
}

const isBadRequest = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'BAD_REQUEST';

interface ServerEntry {
  readonly version: string;
  /** Milliseconds since 1970, or Infinity. */
  readonly expiresAt: number;
  readonly text: string;
}

/** Parses `version expiry text`; undefined for a value that serverStore did not write. */
function readServerEntry(stored: string | undefined): ServerEntry | undefined {
  const [, version, expiresAt, text] = /^([\w-]+) (\d*) (.*)$/s.exec(stored ?? '') ?? [];
  if (version === undefined || text === undefined) return undefined;
  return { version, expiresAt: expiresAt ? Number(expiresAt) : Infinity, text };
}
