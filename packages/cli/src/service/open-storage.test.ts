import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { UserError } from '@bellhop/bot-cli/command-line';
import { migrations } from '@bellhop/bouncer';
import { createTestDatabase, startDatabaseProxy } from '@bellhop/postgres/testing';
import { serverMigrations } from '@bellhop/server/provision';
import { sql } from 'kysely';
import { expect, test } from 'vitest';

import { openStorage } from './open-storage.ts';

const options = { urlVariable: 'EXAMPLE_URL', dataDir: 'unused' };

test.each(['127.0.0.1', 'localhost'])(
  'a database at %s that is away is refused with its variable',
  async (host) => {
    const storage = await openStorage({ ...options, url: `postgresql://a:b@${host}:1/c` });
    const opening = storage.open('', [], 'test');
    await expect(opening).rejects.toThrow(UserError);
    await expect(opening).rejects.toThrow(
      /^EXAMPLE_URL: .* ECONNREFUSED .*:1\. Check that PostgreSQL runs there and that the URL is right\.$/,
    );
    await storage.stop();
  },
);

test('a data directory that cannot be made is refused with its variable', async () => {
  const base = await mkdtemp(join(tmpdir(), 'bellhop-storage-'));
  try {
    await writeFile(join(base, 'file'), '');
    const dataDir = join(base, 'file', 'data');
    const starting = openStorage({ ...options, url: undefined, dataDir });
    await expect(starting).rejects.toThrow(UserError);
    await expect(starting).rejects.toThrow(
      /^BELLHOP_DATA_DIR: EEXIST.*\. Or set EXAMPLE_URL to the URL of a PostgreSQL 15 or newer\.$/,
    );
  } finally {
    await rm(base, { recursive: true });
  }
});

test('a stop ends an open that waits for another program which migrates', async () => {
  await using made = await createTestDatabase();
  const storage = await openStorage({ ...options, url: made.url });
  await made.database.transaction(async (tx) => {
    // The lock of migrations.
    await sql`select pg_advisory_xact_lock(4600018)`.execute(tx);
    const directory = new URL('../../../jobs/migrations/', import.meta.url);
    const opening = storage.open('', [{ package: 'jobs', directory }], 'test');
    const refused = expect(opening).rejects.toThrow(UserError);
    const { kysely } = made.database;
    const waiting = async () =>
      (await sql`select from pg_locks where locktype = 'advisory' and not granted`.execute(kysely))
        .rows.length;
    await expect.poll(waiting).toBeGreaterThan(0);
    await storage.stop();
    await refused;
  });
});

test('the database of another program is refused with the variable that names it', async () => {
  await using made = await createTestDatabase({ migrations });
  const storage = await openStorage({ ...options, url: made.url });
  const refused = expect(storage.open('', serverMigrations, 'test')).rejects;
  await refused.toThrow(
    new UserError(
      'EXAMPLE_URL: This database belongs to a bouncer, not to a chat server. Nothing was changed.',
    ),
  );
  await storage.stop();
});

test('a stop ends an open at once whose database does not answer', async () => {
  await using made = await createTestDatabase();
  await using proxy = await startDatabaseProxy(made.url);
  proxy.hold();
  const storage = await openStorage({ ...options, url: proxy.url });
  const refused = expect(storage.open('', [], 'test')).rejects.toThrow(UserError);
  await wait(200);
  const began = performance.now();
  await storage.stop();
  await refused;
  await expect(storage.open('', [], 'test')).rejects.toThrow(UserError);
  expect(performance.now() - began).toBeLessThan(5000);
});
