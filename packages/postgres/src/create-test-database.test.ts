import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { openDatabase } from './open-database.ts';
import { createTestDatabase } from './testing.fixture.ts';

let path = '';
const migrations = () => [{ package: 'notes', directory: pathToFileURL(path) }];

beforeAll(async () => {
  path = await mkdtemp(join(tmpdir(), 'bellhop-template-'));
  // The comment gives each run of this test its own template.
  await writeFile(join(path, '0001-note.sql'), `create table note (text text); -- ${path}`);
});

afterAll(() => rm(path, { recursive: true }));

test('three databases created at the same time are migrated and separate', async () => {
  const make = () => createTestDatabase({ migrations: migrations() });
  const all = await Promise.all([make(), make(), make()]);
  const [first, ...others] = all;
  await sql`insert into note values ('mine')`.execute(first.database.kysely);
  for (const { database } of others) {
    expect((await sql`select * from note`.execute(database.kysely)).rows).toEqual([]);
  }
  await Promise.all(all.map((made) => made[Symbol.asyncDispose]()));
});

test('databases filled by one function are separate copies of rows that it wrote once', async () => {
  const written: string[] = [];
  const fill = async (url: string) => {
    await using db = await openDatabase(url);
    const text = randomUUID();
    await sql`insert into note values (${text})`.execute(db.kysely);
    written.push(text);
    return text;
  };
  const make = () => createTestDatabase({ migrations: migrations(), fill });
  const all = await Promise.all([make(), make()]);
  const notesIn = async ({ database }: (typeof all)[number]) =>
    (await sql<{ text: string }>`select text from note`.execute(database.kysely)).rows;
  await sql`update note set text = 'mine'`.execute(all[0].database.kysely);
  expect(await notesIn(all[0])).toEqual([{ text: 'mine' }]);
  expect(await notesIn(all[1])).toEqual([{ text: all[1].filled }]);
  // Only a server that outlives the run has no template to copy.
  expect(written).toHaveLength(process.env['DATABASE_URL'] ? 2 : 1);
  await Promise.all(all.map((made) => made[Symbol.asyncDispose]()));
});

test('disposing of a test database drops it', async () => {
  const made = await createTestDatabase({ migrations: migrations() });
  await using second = await openDatabase(made.url);
  await sql`select 1`.execute(second.kysely);
  await made[Symbol.asyncDispose]();
  await expect(openDatabase(made.url)).rejects.toThrow('does not exist');
});
