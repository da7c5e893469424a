import { sql } from 'kysely';
import { expect, test } from 'vitest';

import { type Epoch, EPOCH_GAP, watchEpoch } from './epoch.ts';
import { type Database, openDatabase } from './open-database.ts';
import { createTestDatabase, dumpDatabase } from './testing.fixture.ts';

interface Tables {
  item: { id: number };
}
const statements = {
  begun: () => ["insert into note values ('begun')"],
  restored: ["insert into note values ('restored')"],
};

async function nextId({ kysely }: Database<Tables>): Promise<number> {
  const { rows } = await sql<{ id: number }>`insert into item default values returning id`.execute(
    kysely,
  );
  return Number(rows[0]?.id);
}
async function notes({ kysely }: Database<Tables>): Promise<string[]> {
  const { rows } = await sql<{ text: string }>`select text from note`.execute(kysely);
  return rows.map(({ text }) => text);
}
const start = (database: Database<Tables>, onEpoch: (epoch: Epoch) => void = () => {}) =>
  watchEpoch(database, { statements, onEpoch });

/** A database that a program has used, with the item 1. */
async function usedDatabase() {
  const made = await createTestDatabase<Tables>();
  const { kysely } = made.database;
  await sql`create table item (id bigint generated always as identity)`.execute(kysely);
  await sql`create table note (text text)`.execute(kysely);
  await start(made.database);
  await nextId(made.database);
  return made;
}

test('the first start, and each that finds the database unchanged, leaves the numbers as they are', async () => {
  await using used = await usedDatabase();
  await using another = await openDatabase<Tables>(used.url);
  await start(another);
  expect(await nextId(another)).toBe(2);
  expect(await notes(another)).toEqual([]);
});

test('a restored database begins an epoch once: each sequence jumps', async () => {
  await using used = await usedDatabase();
  await using dump = await dumpDatabase(used.url);
  await dump.restore();
  await using copy = await openDatabase<Tables>(used.url);
  await start(copy);
  const next = await nextId(copy);
  expect(next).toBeGreaterThan(EPOCH_GAP);
  await start(copy);
  expect(await nextId(copy)).toBe(next + 1);
  expect(await notes(copy)).toEqual(['begun', 'restored']);
});

const changes = [
  { what: 'timeline', value: '000000AB', noted: ['begun'], cause: 'promoted' },
  {
    what: 'files',
    value: '2020-01-01 00:00:00+00',
    noted: ['begun', 'restored'],
    cause: 'restored',
  },
  { what: 'copy', value: '1/2/3', noted: ['begun', 'restored'], cause: 'restored' },
] as const;
test.for(changes)(
  'a running program notices another $what at its next check',
  async ({ what, value, noted, cause }) => {
    await using used = await usedDatabase();
    const found: Epoch[] = [];
    const check = await start(used.database, (epoch) => found.push(epoch));
    await check();
    expect(found).toEqual([]);
    // The record now describes another server, as after a restore.
    await sql`update database_epoch set ${sql.id(what)} = ${value}`.execute(used.database.kysely);
    await check();
    expect(found).toMatchObject([{ cause }]);
    expect(await notes(used.database)).toEqual(noted);
    expect(await nextId(used.database)).toBeGreaterThan(EPOCH_GAP);
  },
);

test('a running program waits until a dump is restored, and leaves no trace in it before', async () => {
  await using used = await usedDatabase();
  const found: Epoch[] = [];
  const check = await start(used.database, (epoch) => found.push(epoch));
  const { kysely } = used.database;
  // As psql runs a dump: tables, rows, sequences, keys.
  await sql`alter table database_epoch rename to dumped`.execute(kysely);
  await expect(check()).rejects.toMatchObject({ code: '57P03' });
  await sql`create table database_epoch (like dumped including defaults)`.execute(kysely);
  await expect(check()).rejects.toMatchObject({ code: '57P03' });
  await sql`insert into database_epoch select * from dumped`.execute(kysely);
  await expect(check()).rejects.toMatchObject({ code: '57P03' });
  await sql`select setval(pg_get_serial_sequence('item', 'id'), 1)`.execute(kysely);
  await sql`alter table database_epoch add primary key (the_only)`.execute(kysely);
  await check();
  expect(found).toMatchObject([{ cause: 'restored' }]);
  expect(await nextId(used.database)).toBeGreaterThan(EPOCH_GAP);
  expect(await notes(used.database)).toEqual(['begun', 'restored']);
});

test('a running program acknowledges no change in tables that a restore has replaced', async () => {
  await using used = await usedDatabase();
  await using database = await openDatabase<Tables>(used.url);
  await start(database);
  const add = () =>
    database.transaction(
      (tx) => sql<{ id: number }>`insert into item default values returning id`.execute(tx),
      { groupFlush: true },
    );
  await add();
  // As pg_restore --clean --single-transaction does with a dump that has one item.
  await sql`begin; create table dumped (like database_epoch including all);
    insert into dumped select * from database_epoch; drop table database_epoch;
    alter table dumped rename to database_epoch; drop table item;
    create table item (id bigint generated always as identity (start 2)); commit`.execute(
    used.database.kysely,
  );
  await expect(add()).rejects.toMatchObject({ mayBeCommitted: true });
  const { rows } = await add();
  expect(rows[0]?.id).toBeGreaterThan(EPOCH_GAP);
});

test('a running program uses no connection to a restored database before it was checked', async () => {
  await using used = await usedDatabase();
  const found: Epoch[] = [];
  await using dump = await dumpDatabase(used.url);
  await using database = await openDatabase<Tables>(used.url);
  await start(database, (epoch) => found.push(epoch));
  expect(await nextId(database)).toBe(2);
  await dump.restore();
  await expect.poll(() => nextId(database).catch(() => 0)).toBeGreaterThan(EPOCH_GAP);
  expect(found).toMatchObject([{ cause: 'restored' }]);
});

test('a role without further rights can watch the epoch', async () => {
  await using used = await usedDatabase();
  const role = `watcher_${Date.now()}`;
  await using admin = await openDatabase<Tables>(used.url);
  await sql`create role ${sql.id(role)} login`.execute(admin.kysely);
  await sql`grant all on schema public to ${sql.id(role)}`.execute(admin.kysely);
  await sql`alter table item owner to ${sql.id(role)}`.execute(admin.kysely);
  await sql`alter table note owner to ${sql.id(role)}`.execute(admin.kysely);
  await sql`alter table database_epoch owner to ${sql.id(role)}`.execute(admin.kysely);
  const url = new URL(used.url);
  url.username = role;
  {
    await using limited = await openDatabase<Tables>(url.href);
    await sql`update database_epoch set timeline = '000000AB'`.execute(admin.kysely);
    await start(limited);
    expect(await nextId(limited)).toBeGreaterThan(EPOCH_GAP);
  }
  await sql`drop owned by ${sql.id(role)} cascade`.execute(admin.kysely);
  await sql`drop role ${sql.id(role)}`.execute(admin.kysely);
});
