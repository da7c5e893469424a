import { randomUUID } from 'node:crypto';

import { keyMutex } from '../key-mutex.ts';
import { guardedStore } from './guarded-store.ts';
import { readServerEntry, type ServerEntry } from './server-entry.ts';
import type { Store } from './store.ts';

/**
 * The bot's own storage at the chat server (spec, `/bot_storage`): texts under texts. A key that is
 * not there is left out of the answer, or the call rejects with an error whose `code` is
 * `BAD_REQUEST`, or whose cause has it, as the server answers.
 */
export interface BotStorage {
  /** All entries when no keys are given. */
  get(keys?: readonly string[]): Promise<Readonly<Record<string, string>>>;
  put(entries: Readonly<Record<string, string>>): Promise<unknown>;
  remove(keys: readonly string[]): Promise<unknown>;
}

export interface ServerStoreOptions {
  /** Put before every key, so that other things the bot stores are left alone: `bellhop:`. */
  readonly prefix?: string;
  readonly now?: () => number;
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
  { prefix = 'bellhop:', now = Date.now }: ServerStoreOptions = {},
): Store {
  const inOrder = keyMutex();
  const write = <T>(work: () => Promise<T>) => inOrder('all', work);
  let sweptAt = -Infinity;

  const isAlive = ({ expiresAt }: ServerEntry) => expiresAt > now();

  async function read(key: string): Promise<ServerEntry | undefined> {
    const found = await api.get([prefix + key]).catch(nothingThere);
    const entry = readServerEntry(found?.[prefix + key]);
    return entry !== undefined && isAlive(entry) ? entry : undefined;
  }

  async function sweep(): Promise<void> {
    if (now() - sweptAt < hour) return;
    sweptAt = now();
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
        const expiresAt = ttlMs === undefined ? '' : String(now() + ttlMs);
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
    close: () => inOrder.idle(),
  });
}

function nothingThere(error: unknown): undefined {
  if (isBadRequest(error) || (error instanceof Error && isBadRequest(error.cause)))
    return undefined;
  throw error;
}

const isBadRequest = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'BAD_REQUEST';
