import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { startBotStorage } from './bot-storage-server.fixture.ts';
import { serverStore } from './server-store.ts';
import { storeContract } from './store-contract.ts';

let server: Awaited<ReturnType<typeof startBotStorage>>;
let time = 1_000_000;
beforeEach(() => void vi.spyOn(Date, 'now').mockImplementation(() => time));
afterEach(() => vi.restoreAllMocks());

beforeEach(async () => {
  server = await startBotStorage();
});
afterEach(() => server[Symbol.asyncDispose]());

test.each(storeContract)('server: $name', ({ run }) =>
  run(async () => ({
    store: serverStore(server.api),
    elapse: async (ms) => void (time += ms),
  })),
);

test('serverStore lists and removes only entries it has written under its prefix', async () => {
  server.entries.set('quiz_id', '7').set('bellhop:strange', 'not ours');
  const store = serverStore(server.api);
  await store.set('a', 1, { ttlMs: 1 });
  expect(await store.list('')).toEqual(['a']);
  expect(await store.get('strange')).toBeUndefined();
  time += 3_600_000;
  await store.set('b', 1);
  expect([...server.entries.keys()]).toEqual(['quiz_id', 'bellhop:strange', 'bellhop:b']);
});

test('a read or an unconditional write takes one request, a conditional write two', async () => {
  const store = serverStore(server.api);
  const version = await store.set('a', 1);
  server.requests.length = 0;
  await store.set('a', 2, { expected: version ?? '' });
  await store.get('a');
  await store.set('a', 3);
  expect(server.requests).toEqual(['GET', 'PUT', 'GET', 'PUT']);
});

test('a write succeeds if another client has just removed an expired key', async () => {
  const store = serverStore(server.api);
  for (const key of ['a', 'b']) await store.set(key, 1, { ttlMs: 1 });
  time += 3_600_000;
  const api = {
    ...server.api,
    get: async (keys?: readonly string[]) => {
      const found = await server.api.get(keys);
      server.entries.delete('bellhop:a');
      return found;
    },
  };
  expect(await serverStore(api).set('c', 1)).toBeDefined();
});

test('get() returns undefined if the cause of an error has the code BAD_REQUEST', async () => {
  const cause = Object.assign(new Error('Key does not exist.'), { code: 'BAD_REQUEST' });
  const get = () => Promise.reject(new Error('api_rejected', { cause }));
  expect(await serverStore({ ...server.api, get }).get('a')).toBeUndefined();
});

test('set() fails with store_failed and the text of the server if the storage is full', async () => {
  const full = Object.assign(new Error('Request exceeds storage limit'), { code: 'FULL' });
  const api = { ...server.api, put: () => Promise.reject(full) };
  await expect(serverStore(api).set('a', 1)).rejects.toMatchObject({
    code: 'store_failed',
    message: 'serverStore could not write a value: Request exceeds storage limit',
  });
});
