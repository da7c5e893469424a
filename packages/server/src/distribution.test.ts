import { createTestDatabase, readCatalogue } from '@bellhop/postgres/testing';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';

import { distributionStatements } from './distribution.ts';
import { serverMigrations, type Tables } from './provision.ts';

const created = await createTestDatabase<Tables>({ migrations: serverMigrations });
afterAll(() => created[Symbol.asyncDispose]());
const { kysely } = created.database;
const statements = await distributionStatements(kysely);
const { columns, foreignKeys } = await readCatalogue(kysely);
const tables = [...new Set(columns.map(({ table }) => table))];
const ofRealms = columns
  .filter(({ column }) => column === 'realm_id')
  .map(({ table }) => table)
  .concat('realm');

test('every table is placed: those of realms beside their realm, that of their names on each node, others at the coordinator', () => {
  const placed = statements.flatMap(
    (one) =>
      /^select create_distributed_table\('(\w+)', '(?:realm_id|id)', colocate_with => '(?:realm|none)'\);$/
        .exec(one)
        ?.slice(1) ?? [],
  );
  expect(placed.toSorted()).toEqual(ofRealms.toSorted());
  expect(statements).toContain("select create_reference_table('realm_name');");
  expect(tables.filter((table) => !ofRealms.includes(table)).toSorted()).toEqual([
    'job',
    'job_attempt',
    'realm_name',
    'schema_migration',
  ]);
  expect(statements.findIndex((one) => one.includes("('realm',"))).toBe(
    statements.findIndex((one) => one.includes('create_distributed_table')),
  );
});

test('every foreign key of a table of realms is one that Citus takes, and is there again', async () => {
  const own = foreignKeys.filter(({ table }) => ofRealms.includes(table));
  expect(own.length).toBeGreaterThan(90);
  for (const { name, table, columns: from, parent, parent_columns: to } of own) {
    if (parent !== 'realm_name')
      expect([name, from[0], to[0]]).toEqual([
        name,
        table === 'realm' ? 'id' : 'realm_id',
        parent === 'realm' ? 'id' : 'realm_id',
      ]);
    expect(statements.some((one) => one.includes(` drop constraint "${name}";`))).toBe(true);
    expect(statements.some((one) => one.includes(` add constraint "${name}" FOREIGN KEY`))).toBe(
      true,
    );
  }
  expect(statements.filter((one) => /SET (NULL|DEFAULT)/i.test(one))).toEqual([]);
  // A table of all realms refers to none of theirs.
  expect(foreignKeys.filter((key) => !own.includes(key)).map(({ name }) => name)).toEqual([
    'job_attempt_job_id_fkey',
  ]);
});

test('with functions in the place of those of Citus the statements run, and leave the keys as they were', async () => {
  const keys = () =>
    sql<{ definition: string }>`select conname, pg_get_constraintdef(oid) as definition
      from pg_constraint where contype = 'f' order by conname`.execute(kysely);
  const before = (await keys()).rows;
  await sql`create function create_reference_table(name regclass) returns void language plpgsql as 'begin end'`.execute(
    kysely,
  );
  await sql`create function create_distributed_table(name regclass, placed_by text, colocate_with text)
    returns void language plpgsql as $$ begin
      if exists (select from pg_constraint where contype = 'f' and conrelid = name) or exists (
        select from pg_trigger where tgrelid = name and not tgisinternal)
      then raise 'has keys or triggers: %', name; end if;
      execute format('select %I from %s', placed_by, name);
    end $$`.execute(kysely);
  await created.database.transaction(async (tx) => {
    for (const one of statements.slice(1, -1)) await sql.raw(one).execute(tx);
  });
  expect((await keys()).rows).toEqual(before);
});
