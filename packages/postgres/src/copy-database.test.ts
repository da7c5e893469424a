import { sql } from 'kysely';
import { Client } from 'pg';
import { expect, test, vi } from 'vitest';

import { copyDatabase, CopyRefused } from './copy-database.ts';
import { createTestDatabase } from './create-test-database.fixture.ts';

// What migrations of ours use: circles of keys, triggers, identities, computed columns, unlogged tables.
const tables = `
  create table box (
    id bigint generated always as identity primary key, label text not null,
    folded text generated always as (lower(label)) stored, first_item bigint, bytes bytea,
    data jsonb, at timestamptz default now());
  create table item (
    id bigint generated always as identity primary key, box_id bigint not null references box on delete cascade);
  alter table box add foreign key (first_item) references item on delete set null (first_item);
  create unlogged table "Odd name" ("the column" text primary key);
  create table removed (id bigint);
  create function note_removed() returns trigger language plpgsql as
    'begin insert into removed values (new.id); return new; end';
  create trigger noted after insert on item for each row execute function note_removed();
  create sequence counter;`;
const rows = `
  insert into box (label, bytes, data) select e'A\\tlabel\\n\\\\.' || n, '\\x000a0d5c', '{"a": "\\u00e9\\n"}'
    from generate_series(1, 2000) n;
  insert into item (box_id) select id from box;
  update box set first_item = item.id from item where box_id = box.id;
  insert into "Odd name" values (e'\\\\N'), ('');
  select setval('counter', 77)`;
const digest = `
  select (select md5(string_agg(box::text, '' order by id)) from box) as boxes,
    (select md5(string_agg(item::text, '' order by id)) from item) as items,
    (select string_agg("the column", '|' order by 1) from "Odd name") as odd,
    (select count(*)::int from removed) as removed, nextval('counter') as next,
    nextval('item_id_seq') as item`;

async function twoDatabases() {
  const [from, to] = [await createTestDatabase(), await createTestDatabase()];
  const run = (at: typeof from, text: string) => sql.raw(text).execute(at.database.kysely);
  await run(from, tables);
  await run(to, tables);
  await run(from, rows);
  return {
    urls: { from: from.url, to: to.url },
    source: (text: string) => run(from, text),
    target: (text: string) => run(to, text),
    async [Symbol.asyncDispose]() {
      await from[Symbol.asyncDispose]();
      await to[Symbol.asyncDispose]();
    },
  };
}

test('a copy has every row, runs no trigger, and gives out the next numbers; its keys hold', async () => {
  await using at = await twoDatabases();
  const seen: number[] = [];
  const copied = await copyDatabase({ ...at.urls, progress: (now) => seen.push(now.rows) });
  expect(copied).toEqual({ tables: 4, rows: 6_002 });
  expect(seen.at(-1)).toBe(6_002);
  expect((await at.target(digest)).rows).toEqual((await at.source(digest)).rows);
  await expect(at.target('insert into item (box_id) values (-1)')).rejects.toThrow(/foreign key/);
  await at.target('insert into item (box_id) select min(id) from box');
  expect((await at.target('select count(*)::int as n from removed')).rows).toEqual([{ n: 2_001 }]);
});

test('an interrupted copy leaves nothing, and a second one copies all', async () => {
  await using at = await twoDatabases();
  const stop = new AbortController();
  const copying = copyDatabase({
    ...at.urls,
    signal: stop.signal,
    progress: ({ table }) => {
      if (table === 'item') stop.abort();
    },
  });
  await expect(copying).rejects.toThrow(/abort/i);
  expect((await at.target('select * from box')).rows).toEqual([]);
  await expect(at.target('insert into item (box_id) values (-1)')).rejects.toThrow(/foreign key/);
  expect((await copyDatabase(at.urls)).rows).toBe(6_002);
});

test('a copy that is interrupted after its last row leaves nothing either', async () => {
  await using at = await twoDatabases();
  const stop = new AbortController();
  const query = Reflect.get(Client.prototype, 'query') as (...args: unknown[]) => unknown;
  using _spy = vi.spyOn(Client.prototype, 'query').mockImplementation(function (
    this: Client,
    ...args: unknown[]
  ) {
    if (String(args[0]).includes('add constraint')) stop.abort();
    return Reflect.apply(query, this, args);
  });
  await expect(copyDatabase({ ...at.urls, signal: stop.signal })).rejects.toThrow(/abort/i);
  expect((await at.target('select * from box')).rows).toEqual([]);
});

test('a copy is one although the role limits the time of statements, which its statistics need', async () => {
  await using at = await twoDatabases();
  // Statistics of this table take more than the limit: of an index over a slow function.
  await at.target(`create function slow(text) returns text language plpgsql immutable as
      'begin perform count(*) from generate_series(1, 6000); return $1; end';
    create index on box (slow(label));
    do $$ begin execute format('alter database %I set statement_timeout = 200', current_database()); end $$`);
  expect((await copyDatabase(at.urls)).rows).toBe(6_002);
}, 60_000);

test.each([
  ['insert into "Odd name" values (1)', /^it was used: it has rows in "Odd name"\./],
  ['alter table box add more int', /^its tables are not those of this version: box\./],
  ['create table further (id int)', /^its tables are not those of this version: further\./],
])('a copy is refused after %s', async (change, why) => {
  await using at = await twoDatabases();
  await at.target(change);
  const refused: unknown = await copyDatabase(at.urls).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(CopyRefused);
  expect((refused as Error).message).toMatch(why);
  expect((await at.target('select * from box')).rows).toEqual([]);
});
