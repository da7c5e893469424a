import { randomUUID } from 'node:crypto';

import { keyMutex } from '../key-mutex.ts';
import type { BotStorage } from './bot-storage.ts';
import { guardedStore } from './guarded-store.ts';
import { readServerEntry, type ServerEntry } from './server-entry.ts';
import type { Store } from './store.ts';

interface ServerStoreOptions {
  /** Put before every key, so that other things the bot stores are left alone: `bellhop:`. */
  readonly prefix?: string;
}

const hour = 3_600_000;

/**
 * A store in the bot's own storage at the chat server: nothing to install, for one process with
 * little traffic. The server cannot compare before it writes: this store reads, compares and then
 * writes, one write after another. So versions are sure only while one store in one process writes
 * for the bot; of two processes at the same key at once, both may believe they were first, and one
 * write is lost. A read is one request, a conditional write two, and the server's rate limits and
 * the size limit of the storage count. Expired entries are removed with a write, at most hourly,
 * which reads everything.
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
    const found = await api.get([prefix + key]).catch(nothingThere);
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
    // One that has gone meanwhile makes the server refuse all: the next sweep takes them.
    if (keys.length > 0) await api.remove(keys).catch(nothingThere);
  }

  return guardedStore('serverStore', {
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
        await api.remove([prefix + key]).catch(nothingThere);
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

function nothingThere(error: unknown): undefined {
  if (isBadRequest(error) || (error instanceof Error && isBadRequest(error.cause)))
    return undefined;
  throw error;
}

const isBadRequest = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'BAD_REQUEST';
