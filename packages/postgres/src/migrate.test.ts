import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';

import { migrate } from './migrate.ts';
import { missingMigrations } from './missing-migrations.ts';
import { openDatabase } from './open-database.ts';
import { createTestDatabase, type TestDatabase } from './testing.fixture.ts';

const made: string[] = [];

afterEach(async () => {
  for (const path of made.splice(0)) await rm(path, { recursive: true });
});

async function migrations(files: Record<string, string>, owner = 'things') {
  const path = await mkdtemp(join(tmpdir(), 'bellhop-migrations-'));
  made.push(path);
  for (const [name, text] of Object.entries(files)) await writeFile(join(path, name), text);
  return { package: owner, directory: pathToFileURL(path) };
}

const one = { '0001-thing.sql': 'create table thing (id int);\ncreate index on thing (id);' };
const two = { ...one, '0002-name.sql': 'alter table thing add name text;' };

test('migrate runs each file once, in order, and new files at the next call', async () => {
  await using db = await createTestDatabase();
  expect(await migrate(db.database, await migrations(one))).toEqual(['things/0001-thing.sql']);
  expect(await migrate(db.database, await migrations(two))).toEqual(['things/0002-name.sql']);
  expect(await migrate(db.database, await migrations(two))).toEqual([]);
  await sql`insert into thing (id, name) values (1, 'a')`.execute(db.database.kysely);
});

test('migrate runs a file again that lost a deadlock with a program of the version before', async () => {
  await using db = await createTestDatabase();
  const { kysely } = db.database;
  const tables = { '0001-two.sql': 'create table thing (id int); create table other (id int);' };
  await migrate(db.database, await migrations(tables));
  const lock = 'alter table thing add name text; alter table other add name text;';
  const both = await migrations({ ...tables, '0002-names.sql': lock });
  const waits = async () =>
    (
      await sql`select from pg_locks where not granted and relation = 'other'::regclass`.execute(
        kysely,
      )
    ).rows.length;
  const migrating = await db.database.transaction(async (tx) => {
    await sql`set local deadlock_timeout = '1h'`.execute(tx);
    await sql`select from other`.execute(tx);
    const ran = migrate(db.database, both);
    await expect.poll(waits).toBe(1);
    await sql`select from thing`.execute(tx);
    return { ran };
  });
  expect(await migrating.ran).toEqual(['things/0002-names.sql']);
});

test('migrate numbers the files of each package separately', async () => {
  await using db = await createTestDatabase();
  const other = await migrations({ '0001-other.sql': 'create table other (id int)' }, 'others');
  const ran = await migrate(db.database, await migrations(one), other);
  expect(ran).toEqual(['things/0001-thing.sql', 'others/0001-other.sql']);
});

test('migrate refuses the database of another program and changes nothing, also one that both migrated', async () => {
  await using db = await createTestDatabase();
  const shared = await migrations({ '0001-shared.sql': 'create table shared (id int)' }, 'jobs');
  const grown = await migrations(
    { '0001-shared.sql': 'create table shared (id int)', '0002-more.sql': 'create table more ()' },
    'jobs',
  );
  const server = await migrations(one, 'server');
  const bouncer = await migrations({ '0001-phone.sql': 'create table phone (id int)' }, 'bouncer');
  await migrate(db.database, shared, server);
  const tables = async () =>
    (
      await sql`select relname from pg_class where relkind = 'r' order by 1`.execute(
        db.database.kysely,
      )
    ).rows;
  const before = await tables();
  const refusal = 'This database belongs to a chat server, not to a bouncer';
  await expect(migrate(db.database, grown, bouncer)).rejects.toThrow(refusal);
  await expect(missingMigrations(db.database, grown, bouncer)).rejects.toThrow(refusal);
  expect(await tables()).toEqual(before);
  await sql`insert into schema_migration (package, number, name, checksum)
    values ('bouncer', 1, '0001-phone.sql', 'x')`.execute(db.database.kysely);
  await expect(migrate(db.database, shared, bouncer)).rejects.toThrow(refusal);
  expect(await migrate(db.database, grown, server)).toEqual(['jobs/0002-more.sql']);
});

test('a role that may not create tables is told the grant it needs', async () => {
  await using db = await createTestDatabase();
  const { kysely } = db.database;
  const role = `visitor_${Date.now()}`;
  await sql`create role ${sql.id(role)} login`.execute(kysely);
  const url = new URL(db.url);
  url.username = role;
  {
    await using visitor = await openDatabase(url.href);
    await expect(migrate(visitor, await migrations(one))).rejects.toThrow(
      new RegExp(`run: grant usage, create on schema public to ${role}$`),
    );
  }
  await sql`drop role ${sql.id(role)}`.execute(kysely);
});

test('two programs that migrate at the same time run each file once', async () => {
  await using db = await createTestDatabase();
  await using second = await openDatabase(db.url);
  const set = await migrations(two);
  const ran = await Promise.all([migrate(db.database, set), migrate(second, set)]);
  expect(ran.flat().toSorted()).toEqual(['things/0001-thing.sql', 'things/0002-name.sql']);
});

test('migrate rejects a role that may not create tables with the line of SQL', async () => {
  await using db = await createTestDatabase();
  const role = `stranger_${randomUUID().replaceAll('-', '')}`;
  await sql.raw(`create role ${role} login`).execute(db.database.kysely);
  const url = new URL(db.url);
  url.username = role;
  await using stranger = await openDatabase(url.href);
  await expect(migrate(stranger, await migrations(one))).rejects.toThrow(
    `The role ${role} may not create the tables: permission denied for schema public. As a superuser, in ` +
      `the database ${url.pathname.slice(1)}, run: grant usage, create on schema public to ${role}`,
  );
});

test('migrate rejects a role that does not own the tables with the SQL that says so', async () => {
  await using db = await createTestDatabase();
  await migrate(db.database, await migrations(one));
  const role = `stranger_${randomUUID().replaceAll('-', '')}`;
  for (const text of [
    `create role ${role} login`,
    `grant usage, create on schema public to ${role}`,
    `grant select on schema_migration to ${role}`,
  ])
    await sql.raw(text).execute(db.database.kysely);
  const url = new URL(db.url);
  url.username = role;
  await using stranger = await openDatabase(url.href);
  await expect(migrate(stranger, await migrations(two))).rejects.toThrow(
    new RegExp(
      `^The role ${role} may not change the tables: must be owner of table thing\\. .*grant their owner to ${role}$`,
    ),
  );
});

test('migrate rejects a database that is newer than the program', async () => {
  await using db = await createTestDatabase();
  await migrate(db.database, await migrations(two));
  await expect(migrate(db.database, await migrations(one))).rejects.toThrow(
    'The database is newer than this program: it has 0002-name.sql of things',
  );
});

test('migrate rejects a file that changed since it ran, except for line endings', async () => {
  await using db = await createTestDatabase();
  await migrate(db.database, await migrations(one));
  const text = one['0001-thing.sql'];
  const windows = await migrations({ '0001-thing.sql': text.replaceAll('\n', '\r\n') });
  expect(await migrate(db.database, windows)).toEqual([]);
  const changed = await migrations({ '0001-thing.sql': `${text}-- more` });
  await expect(migrate(db.database, changed)).rejects.toThrow('has changed since');
});

test('migrate accepts a database with an older form of a file that the file names', async () => {
  await using db = await createTestDatabase();
  await migrate(db.database, await migrations(one));
  const { rows } = await sql<{ checksum: string }>`
    select checksum from schema_migration`.execute(db.database.kysely);
  const text = `-- was ${rows[0]?.checksum ?? ''}\ncreate table thing (id int);`;
  expect(await migrate(db.database, await migrations({ '0001-thing.sql': text }))).toEqual([]);
});

describe('functions of a package', () => {
  const counts = (step: number) =>
    `create or replace function next_of(t thing) returns int language sql as 'select t.id + ${step}';`;
  async function withFunctions(files: Record<string, string>, text: string) {
    const set = await migrations({ ...files, 'functions.txt': text });
    return { ...set, functions: new URL(`${set.directory.href}/functions.txt`) };
  }
  const nextOf = async (db: TestDatabase<unknown>) =>
    (await sql<{ next: number }>`select next_of(row(1)::thing) as next`.execute(db.database.kysely))
      .rows[0]?.next;

  test('functions are created behind the last migration, and replaced when their file has changed', async () => {
    await using db = await createTestDatabase();
    const first = await withFunctions(one, counts(1));
    expect(await missingMigrations(db.database, first)).toEqual([
      'things/0001-thing.sql',
      'things/functions.txt',
    ]);
    expect(await migrate(db.database, first)).toEqual([
      'things/0001-thing.sql',
      'things/functions.txt',
    ]);
    expect(await nextOf(db)).toBe(2);
    expect(await migrate(db.database, first)).toEqual([]);
    const second = await withFunctions(one, counts(2));
    expect(await missingMigrations(db.database, second)).toEqual(['things/functions.txt']);
    expect(await migrate(db.database, second)).toEqual(['things/functions.txt']);
    expect(await nextOf(db)).toBe(3);
    expect(await missingMigrations(db.database, second)).toEqual([]);
    // An older text is a change as well.
    expect(await migrate(db.database, first)).toEqual(['things/functions.txt']);
    expect(await nextOf(db)).toBe(2);
  });

  test('functions are replaced with every new migration, which may have dropped them', async () => {
    await using db = await createTestDatabase();
    await migrate(db.database, await withFunctions(one, counts(1)));
    const remade = {
      ...one,
      '0002-remade.sql': 'drop table thing cascade; create table thing (id int)',
    };
    expect(await migrate(db.database, await withFunctions(remade, counts(1)))).toEqual([
      'things/0002-remade.sql',
      'things/functions.txt',
    ]);
    expect(await nextOf(db)).toBe(2);
  });

  test('a faulty file of functions rolls back the migration that ran before it', async () => {
    await using db = await createTestDatabase();
    await migrate(db.database, await withFunctions(one, counts(1)));
    await expect(migrate(db.database, await withFunctions(two, 'select 1/0'))).rejects.toThrow(
      'division by zero',
    );
    const fits = await withFunctions(two, counts(2));
    expect(await migrate(db.database, fits)).toEqual([
      'things/0002-name.sql',
      'things/functions.txt',
    ]);
  });

  test('of two programs that start at the same time are replaced once', async () => {
    await using db = await createTestDatabase();
    await using second = await openDatabase(db.url);
    const set = await withFunctions(one, counts(1));
    const ran = await Promise.all([migrate(db.database, set), migrate(second, set)]);
    expect(ran.flat().toSorted()).toEqual(['things/0001-thing.sql', 'things/functions.txt']);
  });

  test('of a program with fewer migrations than the database are not put back', async () => {
    await using db = await createTestDatabase();
    await migrate(db.database, await withFunctions(two, counts(2)));
    await expect(migrate(db.database, await withFunctions(one, counts(1)))).rejects.toThrow(
      'The database is newer than this program',
    );
    const { rows } = await sql`select next_of(row(1, 'a')::thing) as next`.execute(
      db.database.kysely,
    );
    expect(rows).toEqual([{ next: 3 }]);
  });
});

test('a failed migration is rolled back', async () => {
  await using db = await createTestDatabase();
  const broken = await migrations({
    ...one,
    '0002-broken.sql': 'create table half (); select 1/0',
  });
  await expect(migrate(db.database, broken)).rejects.toThrow('division by zero');
  expect(await migrate(db.database, await migrations(two))).toEqual(['things/0002-name.sql']);
  const { rows } = await sql`select to_regclass('half') as half`.execute(db.database.kysely);
  expect(rows).toEqual([{ half: null }]);
});

test('migrate rejects gaps in the numbers of files', async () => {
  await using db = await createTestDatabase();
  const gap = await migrations({ ...one, '0003-late.sql': 'select 1' });
  await expect(migrate(db.database, gap)).rejects.toThrow('0003-late.sql of things must have');
});
