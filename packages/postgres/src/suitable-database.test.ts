import { sql } from 'kysely';
import { Client } from 'pg';
import { expect, test } from 'vitest';

import { openDatabase } from './open-database.ts';
import { startSession } from './session.ts';
import { faultOf } from './suitable-database.ts';
import { testServerUrl } from './test-server.fixture.ts';
import { createTestDatabase } from './testing.fixture.ts';
import { workLimits } from './work-limits.ts';

test.for(['LATIN1', 'SQL_ASCII'])(
  'a database with the encoding %s is refused, with the command that makes another',
  async (encoding) => {
    const name = `unsuitable_${encoding.toLowerCase()}_${Date.now()}`;
    const server = new Client(await testServerUrl());
    await server.connect();
    await server.query(
      `create database ${name} encoding '${encoding}' locale 'C' template template0`,
    );
    try {
      const url = new URL(await testServerUrl());
      url.pathname = `/${name}`;
      await expect(openDatabase(url.href)).rejects.toThrow(
        `Cannot open the database: it has the encoding ${encoding}, which lacks characters that people write. Make one with UTF8: create database NAME`,
      );
    } finally {
      await server.query(`drop database ${name} with (force)`);
      await server.end();
    }
  },
);

test('a PostgreSQL that is too old is refused, with the version that is needed', () => {
  const suitable = { encoding: 'UTF8', forbidden: [], role: 'ada' };
  expect(faultOf({ ...suitable, version_num: 140_022, version: '14.22' })).toBe(
    'PostgreSQL 14.22 is too old: version 15 or newer is needed',
  );
  expect(faultOf({ ...suitable, version_num: 150_000, version: '15.0' })).toBeUndefined();
});

test('a role that may not see the identifier of the cluster is refused, with the grant it needs', async () => {
  await using made = await createTestDatabase();
  const { kysely } = made.database;
  const role = `unsuitable_${Date.now()}`;
  await sql`create role ${sql.id(role)} login`.execute(kysely);
  await sql`revoke execute on function pg_control_system() from public`.execute(kysely);
  const url = new URL(made.url);
  url.username = role;
  await expect(openDatabase(url.href)).rejects.toThrow(
    `As a superuser, run: grant execute on function pg_control_system() to ${role}`,
  );
  await sql`drop role ${sql.id(role)}`.execute(kysely);
});

test('a session that a pooler hands on with the statements of another program is used', async () => {
  await using made = await createTestDatabase();
  const client = new Client(made.url);
  await client.connect();
  try {
    await client.query('prepare statement_of_ours as select 1');
    await startSession(client, workLimits.request);
    const { rows } = await client.query({ name: 'statement_of_ours', text: 'select 2 as two' });
    expect(rows).toEqual([{ two: 2 }]);
  } finally {
    await client.end();
  }
});

test('times are read in a database that writes dates as people of a country do', async () => {
  await using made = await createTestDatabase();
  const name = new URL(made.url).pathname.slice(1);
  await sql`alter database ${sql.id(name)} set datestyle = 'German'`.execute(made.database.kysely);
  await using database = await openDatabase(made.url);
  const { rows } = await sql<{ at: Date }>`
    select '2026-11-21T10:00:00Z'::timestamptz as at`.execute(database.kysely);
  expect(rows).toEqual([{ at: new Date('2026-11-21T10:00:00Z') }]);
});
