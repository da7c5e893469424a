import { randomUUID } from 'node:crypto';

import { BotError } from '../bot-error.ts';
import { guardedStore } from './guarded-store.ts';
import { replaceScript } from './redis-replace.ts';
import type { Store } from './store.ts';

/** What is needed of a client: `ioredis` has it; others need a line that passes a command on. */
interface RedisClient {
  call(command: string, ...args: string[]): Promise<unknown>;
  readonly options?: { readonly keyPrefix?: string | undefined };
}

interface RedisStoreOptions {
  /** Put before every key: `bellhop:` unless told. */
  readonly prefix?: string;
}

/**
 * A store in Redis (or a server that speaks like it), for bots that run in several processes. Takes
 * a client, which stays connected when the store is closed. Redis must be told to keep what it
 * holds: `maxmemory-policy noeviction`, and `appendonly yes` if values shall outlive a crash of
 * Redis. `list` sees one node of a cluster only.
 */
export function redisStore(
  client: RedisClient,
  { prefix = 'bellhop:' }: RedisStoreOptions = {},
): Store {
  if (client.options?.keyPrefix) {
    throw new BotError(
      'config_invalid',
      'redisStore cannot list keys through a client with keyPrefix: give the prefix to redisStore.',
    );
  }
  const call = (command: string, ...args: string[]) => client.call(command, ...args);

  return guardedStore('redisStore', {
    async get(key) {
      const found = await call('GET', prefix + key);
      if (found === null) return undefined;
      if (typeof found !== 'string') throw new TypeError('GET answered with no text');
      const end = found.indexOf(' ');
      return { version: found.slice(0, end), text: found.slice(end + 1) };
    },
    async set({ key, text, ttlMs, expected }) {
      const version = randomUUID();
      const entry = [prefix + key, `${version} ${text}`] as const;
      const life = ttlMs === undefined ? [] : ['PX', String(ttlMs)];
      const done = await (expected === undefined
        ? call('SET', ...entry, ...life)
        : expected === null
          ? call('SET', ...entry, 'NX', ...life)
          : call('EVAL', replaceScript, '1', ...entry, `${expected} `, ...life));
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
        const answer = await call('SCAN', cursor, 'MATCH', pattern, 'COUNT', '1000');
        if (!Array.isArray(answer)) throw new TypeError('SCAN answered with no list');
        const [next, keys]: unknown[] = answer;
        if (Array.isArray(keys))
          for (const key of keys) found.add(String(key).slice(prefix.length));
        cursor = String(next);
      } while (cursor !== '0');
      return [...found];
    },
    close: () => {},
  });
}
