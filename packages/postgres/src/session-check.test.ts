import { expect, test } from 'vitest';

import { startMixingPooler } from './mixing-pooler.fixture.ts';
import { openDatabase } from './open-database.ts';
import { createTestDatabase, startDatabaseProxy } from './testing.fixture.ts';

let turn = 0;
const poolers = [
  { name: 'the session that was used last', choose: () => 0 },
  { name: 'the session that was not used for longest', choose: (free: number) => free - 1 },
  { name: 'each session in turn', choose: (free: number) => turn++ % free },
];

test.for(poolers)('a pooler that gives a transaction $name is refused', async ({ choose }) => {
  await using made = await createTestDatabase();
  await using pooler = await startMixingPooler(made.url, choose);
  await expect(openDatabase(pooler.url)).rejects.toThrow(
    /A pooler must be in session mode\. A transaction pooler .* is not supported: use pool_mode/,
  );
});

test('an address that forwards each connection is not taken for a pooler', async () => {
  await using made = await createTestDatabase();
  await using proxy = await startDatabaseProxy(made.url);
  await using database = await openDatabase(proxy.url, { maxConnections: 1 });
  expect(database.connections().open).toBe(1);
});
