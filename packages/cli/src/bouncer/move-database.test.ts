import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';

import type { BouncerTables } from '@bellhop/bouncer';
import { createTestDatabase } from '@bellhop/postgres/testing';
import { afterEach, expect, test, vi } from 'vitest';

import { runBellhop } from '../run-bellhop.fixture.ts';

afterEach(() => vi.unstubAllEnvs());

test('bellhop bouncer move-database takes the keys of an embedded PostgreSQL to one of the operator', async () => {
  await using directory = await mkdtempDisposable(`${tmpdir()}/move-bouncer-`);
  await using own = await createTestDatabase<BouncerTables>();
  vi.stubEnv('BELLHOP_DATA_DIR', directory.path);
  vi.stubEnv('BELLHOP_BOUNCER_ENCRYPTION_KEY', 'an encryption key of more than 32 characters');
  vi.stubEnv('BELLHOP_BOUNCER_DATABASE_URL', '');
  const first = await runBellhop('bouncer', 'keys', 'first');
  expect(first.code).toBe(0);
  expect((await runBellhop('bouncer', 'move-database')).err).toMatch(
    /^Set BELLHOP_BOUNCER_DATABASE_URL to the URL of an empty database/,
  );
  vi.stubEnv('BELLHOP_BOUNCER_DATABASE_URL', own.url);
  const { code, out } = await runBellhop('bouncer', 'move-database');
  expect(code).toBe(0);
  expect(out).toContain('Start the bouncer with BELLHOP_BOUNCER_DATABASE_URL set.');
  const { kysely } = own.database;
  const keys = await kysely.selectFrom('registration_key').select('public_key').execute();
  expect(keys.map(({ public_key }) => public_key)).toEqual([first.out.trim()]);
});
