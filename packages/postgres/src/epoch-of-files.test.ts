import { execFileSync } from 'node:child_process';
import { appendFileSync, chownSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { type Epoch, EPOCH_GAP, watchEpoch } from './epoch.ts';
import { openDatabase } from './open-database.ts';
import { startPostgres } from './start-postgres.ts';

interface Tables {
  item: { id: number };
}

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'bellhop-epoch-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

/** Starts PostgreSQL on the data, begins an epoch if it must, and takes a number. */
async function run(
  name: string,
  timeZone = 'UTC',
): Promise<{ id: number; causes: Epoch['cause'][] }> {
  const server = await startPostgres({ dataDir: join(directory, name), fsync: false });
  try {
    const url = new URL(server.url);
    url.searchParams.set('options', `-c TimeZone=${timeZone} -c DateStyle=German`);
    await using database = await openDatabase<Tables>(url.href);
    const { kysely } = database;
    await sql`create table if not exists item (id bigint generated always as identity)`.execute(
      kysely,
    );
    const causes: Epoch['cause'][] = [];
    await watchEpoch(database, {
      statements: { begun: () => [], restored: [] },
      onEpoch: ({ cause }) => causes.push(cause),
    });
    const { rows } = await sql<{
      id: number;
    }>`insert into item default values returning id`.execute(kysely);
    return { id: Number(rows[0]?.id), causes };
  } finally {
    await server.stop();
  }
}

const copy = (from: string, to: string) =>
  execFileSync('cp', ['-a', join(directory, from), join(directory, to)]);

test('another start of PostgreSQL on its files begins no epoch', async () => {
  expect(await run('data')).toEqual({ id: 1, causes: [] });
  const again = await run('data');
  expect(again.causes).toEqual([]);
  expect(again.id).toBeLessThan(100);
});

test('a session in another time zone begins no epoch', async () => {
  await run('data');
  expect((await run('data', 'Asia/Tokyo')).causes).toEqual([]);
});

test('files that were copied and put back begin an epoch, although PostgreSQL sees no difference', async () => {
  await run('data');
  copy('data', 'backup');
  await run('data');
  await rm(join(directory, 'data'), { recursive: true });
  copy('backup', 'data');
  const restored = await run('data');
  expect(restored.causes).toEqual(['restored']);
  expect(restored.id).toBeGreaterThan(EPOCH_GAP);
  expect((await run('data')).causes).toEqual([]);
});

test('a standby that was promoted, and a recovery to a point in time, begin an epoch of the other kind', async () => {
  await run('data');
  copy('data', 'standby');
  const cluster = join(directory, 'standby', 'cluster');
  appendFileSync(join(cluster, 'postgresql.auto.conf'), "restore_command = 'false'\n");
  writeFileSync(join(cluster, 'recovery.signal'), '');
  // Root runs PostgreSQL as the owner of its files, which removes the signal.
  const { uid, gid } = statSync(cluster);
  chownSync(join(cluster, 'recovery.signal'), uid, gid);
  const promoted = await run('standby');
  expect(promoted.causes).toEqual(['promoted']);
  expect(promoted.id).toBeGreaterThan(EPOCH_GAP);
});
