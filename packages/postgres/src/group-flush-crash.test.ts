import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Generated, sql } from 'kysely';
import { expect, test } from 'vitest';

import { type Database, openDatabase } from './open-database.ts';
import { startPostgres } from './start-postgres.ts';

interface Tables {
  item: { id: Generated<number>; name: string };
}

/** Inserts rows until the connection is lost. Adds the ids of the rows reported to be on disk. */
async function writeUntilGone(
  db: Database<Tables>,
  writer: number,
  reported: Set<number>,
): Promise<void> {
  for (;;)
    try {
      const id = await db.transaction(
        async (tx) => {
          const row = tx
            .insertInto('item')
            .values({ name: `of ${writer}` })
            .returning('id');
          return (await row.executeTakeFirstOrThrow()).id;
        },
        { groupFlush: true },
      );
      reported.add(id);
    } catch {
      return;
    }
}

test('rows that groupFlush reported survive a SIGKILL of PostgreSQL', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'bellhop-flush-'));
  try {
    const reported = new Set<number>();
    for (let round = 0; round < 3; round++) {
      const server = await startPostgres({ dataDir });
      const db = await openDatabase<Tables>(server.url);
      await sql`create table if not exists item (
        id bigint generated always as identity primary key, name text)`.execute(db.kysely);
      const writers = Array.from({ length: 8 }, (_, writer) =>
        writeUntilGone(db, writer, reported),
      );
      await expect.poll(() => reported.size).toBeGreaterThan(100 * (round + 1));
      process.kill(server.pid, 'SIGKILL');
      await Promise.all(writers);
      await db.close();
      await server.stop();
    }
    await using server = await startPostgres({ dataDir });
    await using db = await openDatabase<Tables>(server.url);
    const rows = await db.kysely.selectFrom('item').select('id').execute();
    const stored = new Set(rows.map(({ id }) => id));
    expect([...reported].filter((id) => !stored.has(id))).toEqual([]);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}, 60_000);
