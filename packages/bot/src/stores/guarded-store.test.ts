import { expect, test } from 'vitest';

import { BotError } from '../bot-error.ts';
import { guardedStore, type Storage } from './guarded-store.ts';

const empty: Storage = {
  get: () => undefined,
  set: () => 'v1',
  delete: () => {},
  list: () => [],
  close: () => {},
};

test('an error of the storage becomes store_failed, with the operation in the message', async () => {
  const cause = new Error('no route to host');
  const get = () => Promise.reject(cause);
  const error: unknown = await guardedStore('redisStore', { ...empty, get })
    .get('a')
    .catch(String);
  expect(error).toBe('BotError: redisStore could not read a value: no route to host');
  await expect(guardedStore('redisStore', { ...empty, get }).get('a')).rejects.toMatchObject({
    code: 'store_failed',
    cause,
  });
});

test('a BotError of the storage is rethrown unchanged', async () => {
  const error = new BotError('store_failed', 'The directory is in use');
  const list = () => Promise.reject(error);
  await expect(guardedStore('fileStore', { ...empty, list }).list('')).rejects.toBe(error);
});

test('get of a text that is not JSON fails with store_failed', async () => {
  const store = guardedStore('fileStore', { ...empty, get: () => ({ text: '{', version: '1' }) });
  await expect(store.get('a')).rejects.toMatchObject({ code: 'store_failed' });
});

test('two calls of close() close the storage once', async () => {
  let closed = 0;
  const store = guardedStore('memoryStore', { ...empty, close: () => void closed++ });
  await Promise.all([store.close(), store.close()]);
  expect(closed).toBe(1);
});
