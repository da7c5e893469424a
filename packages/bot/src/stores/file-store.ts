import { createHash, randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import {
  DirectoryInUse,
  lockDirectory,
  makeDirectory,
  syncDirectory,
  writeFileWhole,
} from '@bellhop/directory-lock';

import { BotError } from '../bot-error.ts';
import { keyMutex } from '../key-mutex.ts';
import { guardedStore, type NewEntry } from './guarded-store.ts';
import { readEntries } from './read-entries.ts';
import type { Store } from './store.ts';

/**
 * A store in a directory, with one file per key, named by the key's hash. When `set` resolves, the
 * value is on disk and survives a crash of the process or a power loss. The first call locks the
 * directory until `close` or the end of the process; a second store on it fails with BotError
 * `store_failed`. Keys and versions are held in memory, values are not. Expired entries are deleted
 * when the directory is opened, and with a write, at most once a minute.
 */
export function fileStore(directory: string): Store {
  let opening: ReturnType<typeof open> | undefined;
  const opened = () =>
    // A failure is not kept: the process that has locked the directory may end.
    (opening ??= open(directory).catch((error: unknown) => {
      opening = undefined;
      throw error;
    }));

  return guardedStore('fileStore', {
    singleProcess: true,
    get: async (key) => (await opened()).get(key),
    set: async (entry) => (await opened()).set(entry),
    delete: async (key) => (await opened()).delete(key),
    list: async (prefix) => (await opened()).list(prefix),
    async close() {
      // If opening failed there is nothing to close; the call that opened it has rejected.
      const entries = await opening?.catch(() => undefined);
      await entries?.close();
    },
  });
}

async function open(directory: string) {
  await makeDirectory(directory, 0o700);
  const lock = await lockStore(directory);
  const entries = await readEntries(directory).catch(async (error: unknown) => {
    await lock.release();
    throw error;
  });
  const locked = keyMutex();
  let sweptAt = -Infinity;

  const fileOf = (key: string) =>
    join(directory, `${createHash('sha256').update(key).digest('hex')}.json`);

  function alive(key: string) {
    const entry = entries.get(key);
    return entry !== undefined && entry.expiresAt > Date.now() ? entry : undefined;
  }

  async function sweep(): Promise<void> {
    if (Date.now() - sweptAt < 60_000) return;
    sweptAt = Date.now();
    const expired = [...entries.keys()].filter((key) => alive(key) === undefined);
    for (const key of expired) {
      await locked(key, async () => {
        if (alive(key) !== undefined) return;
        await rm(fileOf(key), { force: true });
        entries.delete(key);
      });
    }
  }

  async function write({ key, text, ttlMs, expected }: NewEntry): Promise<string | undefined> {
    const found = alive(key)?.version ?? null;
    if (expected !== undefined && expected !== found) return undefined;
    const version = randomUUID();
    const expiresAt = ttlMs === undefined ? undefined : Date.now() + ttlMs;
    const head = JSON.stringify({ key, version, expires_at: expiresAt });
    await writeFileWhole(fileOf(key), `${head}\n${text}\n`, join(directory, `${version}.draft`));
    entries.set(key, { version, expiresAt: expiresAt ?? Infinity });
    return version;
  }

  await sweep();
  return {
    get: (key: string) =>
      locked(key, async () => {
        const entry = alive(key);
        if (entry === undefined) return undefined;
        const content = await readFile(fileOf(key), 'utf8');
        return { text: content.slice(content.indexOf('\n') + 1), version: entry.version };
      }),
    async set(entry: NewEntry) {
      await sweep();
      return await locked(entry.key, () => write(entry));
    },
    delete: (key: string) =>
      locked(key, async () => {
        if (!entries.has(key)) return;
        await rm(fileOf(key), { force: true });
        await syncDirectory(directory);
        entries.delete(key);
      }),
    list: (prefix: string) =>
      [...entries.keys()].filter((key) => key.startsWith(prefix) && alive(key) !== undefined),
    async close() {
      await locked.idle();
      await lock.release();
    },
  };
}

async function lockStore(directory: string) {
  try {
    return await lockDirectory(directory, { otherHost: 'refuse' });
  } catch (error) {
    if (error instanceof DirectoryInUse) throw new BotError('store_failed', error.message);
    throw error;
  }
}
