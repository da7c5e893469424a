import { randomUUID } from 'node:crypto';

import { BotError } from '../bot-error.ts';
import { guardedStore } from './guarded-store.ts';
import { replaceScript } from './redis-replace.ts';
import type { Store } from './store.ts';

/** The part of a client that redisStore uses. `ioredis` has it; other clients need a wrapper. */
export interface RedisClient {
  call(command: string, ...args: string[]): Promise<unknown>;
  readonly options?: { readonly keyPrefix?: string | undefined };
}

export interface RedisStoreOptions {
  /** Begins every key in Redis; the default is `bellhop:`. */
  readonly prefix?: string;
}

/**
 * A store in Redis or a compatible server, for bots that run in several processes. Takes a client,
 * which stays connected when the store is closed. Configure Redis not to drop keys:
 * `maxmemory-policy noeviction`, and `appendonly yes` to keep values over a crash of Redis. `list`
 * reads only one node of a cluster.
 */
export function redisStore(
  client: RedisClient,
  { prefix = 'bellhop:' }: RedisStoreOptions = {},
): Store {
  if (client.options?.keyPrefix) {
    throw new BotError(
      'config_invalid',
      'redisStore cannot list keys through a client with keyPrefix: pass `prefix` to redisStore instead.',
    );
  }
  const call = (command: string, ...args: string[]) => client.call(command, ...args);

  return guardedStore('redisStore', {
    async get(key) {
      const found = await call('GET', prefix + key);
      if (found === null) return undefined;
      if (typeof found !== 'string')
        throw new TypeError('GET returned a value that is not a string');
      const end = found.indexOf(' ');
      return { version: found.slice(0, end), text: found.slice(end + 1) };
    },
    async set({ key, text, ttlMs, expected }) {
      const version = randomUUID();
      const entry = [prefix + key, `${version} ${text}`] as const;
      const expiry = ttlMs === undefined ? [] : ['PX', String(ttlMs)];
      const done = await (expected === undefined
        ? call('SET', ...entry, ...expiry)
        : expected === null
          ? call('SET', ...entry, 'NX', ...expiry)
          : call('EVAL', replaceScript, '1', ...entry, `${expected} `, ...expiry));
      return done === null ? undefined : version;
    },
    async delete(key) {
      await call('DEL', prefix + key);
    },
    async list(start) {
      const pattern = `${(prefix + start).replaceAll(/[\\*?[\]^-]/g, '\\$&')}*`;
      const found = new Set<string>();
      let cursor = '0';
      do {
        const reply = await call('SCAN', cursor, 'MATCH', pattern, 'COUNT', '1000');
        if (!Array.isArray(reply))
          throw new TypeError('SCAN returned a value that is not an array');
        const [next, keys]: unknown[] = reply;
        if (Array.isArray(keys))
          for (const key of keys) found.add(String(key).slice(prefix.length));
        cursor = String(next);
      } while (cursor !== '0');
      return [...found];
    },
    close: () => {},
  });
}
