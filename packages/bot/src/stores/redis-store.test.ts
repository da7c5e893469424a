import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startLittleRedis } from './little-redis.fixture.ts';
import { redisStore } from './redis-store.ts';
import { redisForTests } from './redis.fixture.ts';
import { storeContract } from './store-contract.ts';

// The stand-in is always tried, so that it cannot drift from a real server unseen.
describe.each([
  ['a Redis where there is one', redisForTests],
  ['the stand-in', startLittleRedis],
])('on %s', (_, start) => {
  let server: { url: string; stop: () => Promise<void> };
  let client: Redis;
  beforeAll(async () => {
    server = await start();
    client = new Redis(server.url, { maxRetriesPerRequest: 1 });
  });
  afterAll(async () => {
    await client.quit().catch(() => client.disconnect());
    await server.stop();
  });
  /** Of its own in each test: the server may be somebody's. */
  const fresh = (prefix = `test[${randomUUID()}]*:`) => ({ prefix });

  test.each(storeContract)('redis: $name', ({ run }) =>
    run(async () => ({ store: redisStore(client, fresh()), elapse: (ms) => wait(ms) })),
  );

  test('stores with different prefixes are separate, with the same prefix they are shared', async () => {
    const [mine, other] = [fresh(), fresh()];
    const version = await redisStore(client, mine).set('a', 1, { ttlMs: 60_000 });
    expect(await redisStore(client, mine).get('a')).toEqual({ value: 1, version });
    expect(await redisStore(client, other).get('a')).toBeUndefined();
    expect(await redisStore(client, other).list('')).toEqual([]);
  });

  test('list returns thousands of keys, each once', async () => {
    const store = redisStore(client, fresh());
    const keys = Array.from({ length: 3_000 }, (_, index) => `key ${index}`);
    await Promise.all(keys.map((key) => store.set(key, 1, { ttlMs: 60_000 })));
    expect((await store.list('key ')).toSorted()).toEqual(keys.toSorted());
  });

  test('an unreachable Redis is store_failed', async () => {
    const away = new Redis(server.url, { lazyConnect: true, enableOfflineQueue: false });
    await expect(redisStore(away).get('a')).rejects.toMatchObject({ code: 'store_failed' });
    away.disconnect();
  });
});

test('redisStore refuses a client with a keyPrefix, which SCAN ignores', () => {
  const client = new Redis({ lazyConnect: true, keyPrefix: 'mine:' });
  expect(() => redisStore(client)).toThrow(expect.objectContaining({ code: 'config_invalid' }));
  client.disconnect();
});
