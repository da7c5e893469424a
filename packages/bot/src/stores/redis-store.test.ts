import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startLittleRedis } from './little-redis.fixture.ts';
import { redisStore } from './redis-store.ts';
import { redisForTests } from './redis.fixture.ts';
import { storeContract } from './store-contract.ts';

// The stand-in is always tested too, so that it stays like a real server.
describe.each([
  ['Redis if there is one', redisForTests],
  ['the stand-in', startLittleRedis],
])('on %s', (_, start) => {
  let server: { url: string; stop: () => Promise<void> };
  let client: Redis;
  /** The connection of a second process. */
  let otherClient: Redis;
  beforeAll(async () => {
    server = await start();
    client = new Redis(server.url, { maxRetriesPerRequest: 1 });
    otherClient = new Redis(server.url, { maxRetriesPerRequest: 1 });
  });
  afterAll(async () => {
    for (const one of [client, otherClient]) await one.quit().catch(() => one.disconnect());
    await server.stop();
  });
  /** A new prefix for each store: the server may hold other keys. */
  const newPrefix = () => ({ prefix: `test[${randomUUID()}]*:` });

  test.each(storeContract)('redis: $name', ({ run }) =>
    run(async () => {
      const options = newPrefix();
      const [store, other] = [redisStore(client, options), redisStore(otherClient, options)];
      return { store, other, elapse: (ms) => wait(ms) };
    }),
  );

  test('stores with one prefix share their keys, stores with different prefixes do not', async () => {
    const [mine, other] = [newPrefix(), newPrefix()];
    const version = await redisStore(client, mine).set('a', 1, { ttlMs: 60_000 });
    expect(await redisStore(client, mine).get('a')).toEqual({ value: 1, version });
    expect(await redisStore(client, other).get('a')).toBeUndefined();
    expect(await redisStore(client, other).list('')).toEqual([]);
  });

  test('list() returns each of 3000 keys once', async () => {
    const store = redisStore(client, newPrefix());
    const keys = Array.from({ length: 3_000 }, (_, index) => `key ${index}`);
    await Promise.all(keys.map((key) => store.set(key, 1, { ttlMs: 60_000 })));
    expect((await store.list('key ')).toSorted()).toEqual(keys.toSorted());
  });

  test('a call fails with store_failed if Redis is unreachable', async () => {
    const unreachable = new Redis(server.url, { lazyConnect: true, enableOfflineQueue: false });
    await expect(redisStore(unreachable).get('a')).rejects.toMatchObject({ code: 'store_failed' });
    unreachable.disconnect();
  });
});

test('redisStore throws config_invalid on a client with a keyPrefix, which SCAN ignores', () => {
  const client = new Redis({ lazyConnect: true, keyPrefix: 'mine:' });
  expect(() => redisStore(client)).toThrow(expect.objectContaining({ code: 'config_invalid' }));
  client.disconnect();
});
