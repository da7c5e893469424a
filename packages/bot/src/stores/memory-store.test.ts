import { expect, test } from 'vitest';

import { memoryStore } from './memory-store.ts';
import { storeContract } from './store-contract.ts';

async function open() {
  let time = 1_000_000;
  const elapse = async (ms: number) => void (time += ms);
  return { store: memoryStore({ now: () => time }), elapse };
}

test.each(storeContract)('memory: $name', ({ run }) => run(open));

test('a full memoryStore evicts the least recently used key', async () => {
  const store = memoryStore({ maxKeys: 3 });
  for (const key of ['a', 'b', 'c']) await store.set(key, key);
  await store.get('a');
  await store.set('b', 'again');
  await store.set('d', 'd');
  expect((await store.list('')).toSorted()).toEqual(['a', 'b', 'd']);
  for (let index = 0; index < 1_000; index++) await store.set(`many ${index}`, index);
  expect(await store.list('')).toHaveLength(3);
});

test('memoryStore throws on maxKeys 0', () => {
  expect(() => memoryStore({ maxKeys: 0 })).toThrow(
    expect.objectContaining({ code: 'config_invalid' }),
  );
});
