import { createTestDatabase } from '@bellhop/postgres/testing';
import { serverMigrations, type Tables } from '@bellhop/server/provision';
import { sql } from 'kysely';
import { afterEach, expect, test, vi } from 'vitest';

import { runBellhop } from '../run-bellhop.fixture.ts';

afterEach(() => vi.unstubAllEnvs());

test('bellhop server distribute prints one transaction for psql', async () => {
  await using created = await createTestDatabase<Tables>({ migrations: serverMigrations });
  vi.stubEnv('DATABASE_URL', created.url);
  const { code, out } = await runBellhop('server', 'distribute');
  const lines = out.trim().split('\n');
  expect([code, lines[0], lines.at(-1)]).toEqual([0, 'begin;', 'commit;']);
  expect(lines).toContain(
    "select create_distributed_table('message', 'realm_id', colocate_with => 'realm');",
  );
});

test('bellhop server distribute changes nothing, also where a server of this version was never started', async () => {
  await using created = await createTestDatabase();
  vi.stubEnv('DATABASE_URL', created.url);
  const { code, out, err } = await runBellhop('server', 'distribute');
  expect([code, out]).toEqual([1, '']);
  expect(err).toMatch(/^The tables are not those of this version: .* Start a server of it once/);
  const { rows } =
    await sql`select from pg_class where relnamespace = 'public'::regnamespace`.execute(
      created.database.kysely,
    );
  expect(rows).toEqual([]);
});
