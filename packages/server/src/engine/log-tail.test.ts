import { createTestDatabase } from '@bellhop/postgres/testing';
import type { RealmId } from '@bellhop/protocol';
import { sql } from 'kysely';
import { expect, test } from 'vitest';

import { serverMigrations, type Tables } from '../provision.ts';
import { LogTail } from './log-tail.ts';

test('a wake of all realms asks once for their newest events, and reads only realms with new ones', async () => {
  await using made = await createTestDatabase<Tables>({ migrations: serverMigrations });
  const { database } = made;
  await sql`alter table event_counter disable trigger all`.execute(database.kysely);
  await sql`alter table event disable trigger all`.execute(database.kysely);
  await sql`insert into event_counter (realm_id, last_seq)
    select n, 0 from generate_series(1, 200) n`.execute(database.kysely);
  const failures: unknown[] = [];
  const tail = new LogTail(database, (error) => failures.push(error));
  const heard: number[] = [];
  for (let realm = 1; realm <= 200; realm += 1)
    await tail.follow(realm as RealmId, {
      receive: (events) => {
        for (const { seq } of events) heard.push(realm * 1000 + seq);
      },
    });
  const reads = async () => {
    await sql`select pg_stat_force_next_flush()`.execute(database.kysely);
    await sql`select pg_stat_clear_snapshot()`.execute(database.kysely);
    const { rows } = await sql<{ scans: number }>`
      select idx_scan + seq_scan as scans from pg_stat_user_tables where relname = 'event'`.execute(
      database.kysely,
    );
    return rows[0]?.scans ?? 0;
  };
  const before = await reads();
  await sql`update event_counter set last_seq = 1 where realm_id in (7, 11)`.execute(
    database.kysely,
  );
  await sql`insert into event (realm_id, seq, type, payload, audience)
    values (7, 1, 'x', '{}', '{1}'), (11, 1, 'x', '{}', '{1}')`.execute(database.kysely);
  for (let at = 0; at < 5; at += 1) tail.wake();
  await expect.poll(() => heard.toSorted((a, b) => a - b)).toEqual([7001, 11_001]);
  // Each realm is read once more, in case one page did not hold all of its events.
  expect((await reads()) - before).toBeLessThan(20);
  expect(failures).toEqual([]);
});
