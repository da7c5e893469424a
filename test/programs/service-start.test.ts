import { freePorts } from '@bellhop/http/testing';
import { createTestDatabase, startDatabaseProxy } from '@bellhop/postgres/testing';
import { sealing } from '@bellhop/push-crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';

import { type Program, runProgram, startProgram } from '../support/program.ts';

/** Nothing listens there. */
const NO_DATABASE = 'postgresql://127.0.0.1:1/none';
const WAITS = /"msg":"the start waits for the database"/g;

const { publicKey, secretKey } = sealing.generateKeyPair();
const services = [
  {
    name: 'server',
    args: ['server', '--owner', 'owner@example.com'],
    env: (databaseUrl: string, port: number) => ({
      DATABASE_URL: databaseUrl,
      BELLHOP_PORT: String(port),
      BELLHOP_SECRET: 'a secret for tests, and for tests only',
      BELLHOP_EXTERNAL_URL: 'http://localhost',
    }),
    wait: 'BELLHOP_DATABASE_WAIT',
    url: 'DATABASE_URL',
    api: '/api/v1/server_settings',
  },
  {
    name: 'bouncer',
    args: ['bouncer'],
    env: (databaseUrl: string, port: number) => ({
      BELLHOP_BOUNCER_DATABASE_URL: databaseUrl,
      BELLHOP_BOUNCER_PORT: String(port),
      BELLHOP_BOUNCER_KEYS: `${publicKey}:${secretKey}`,
    }),
    wait: 'BELLHOP_BOUNCER_DATABASE_WAIT',
    url: 'BELLHOP_BOUNCER_DATABASE_URL',
    api: '/api/v1/remotes/server/register',
  },
] as const;

const logOf = (program: Program) =>
  program
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { level: number; msg: string });

test.each(services)(
  '$name waits for its database at the start, alive and not ready, also if it is cut off while it migrates or listens',
  async ({ args, env, api }) => {
    await using database = await createTestDatabase();
    await using proxy = await startDatabaseProxy(database.url);
    proxy.forwardTo(NO_DATABASE);
    const [port = 0] = await freePorts(1);
    await using program = await startProgram(args, { ready: WAITS, env: env(proxy.url, port) });
    const answer = async (path: string) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`);
      return [response.status, await response.json()] as [number, object];
    };
    expect(await answer('/livez')).toEqual([200, { status: 'alive' }]);
    const msg = 'The database cannot be reached or is too busy. The start waits for it.';
    expect(await answer('/readyz')).toEqual([503, { status: 'no database', msg }]);
    expect(await answer(api)).toEqual([503, { result: 'error', code: 'SERVICE_UNAVAILABLE', msg }]);

    const cuts = ['schema_migration', 'listen "'].map((text) => proxy.cutNext(text));
    proxy.forwardTo(database.url);
    await Promise.all(cuts);
    await expect.poll(async () => (await answer('/readyz'))[0]).toBe(200);
    expect((await answer(api))[1]).not.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(program.output().match(WAITS)).toHaveLength(1);
    expect(logOf(program).filter(({ level }) => level > 40)).toEqual([]);
    expect(logOf(program).filter(({ msg: text }) => text === 'listening')).toHaveLength(1);
    expect(await program.signal('SIGTERM')).toBe(0);
  },
);

test('a server waits while its database accepts no changes', async () => {
  await using database = await createTestDatabase();
  const readOnly = (isOn: boolean) =>
    sql`alter database ${sql.id(new URL(database.url).pathname.slice(1))}
      set default_transaction_read_only = ${sql.lit(isOn)}`.execute(database.database.kysely);
  await readOnly(true);
  const [port = 0] = await freePorts(1);
  const [{ args, env }] = services;
  await using program = await startProgram(args, { ready: WAITS, env: env(database.url, port) });
  const readiness = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).json();
  expect(await readiness()).toMatchObject({ status: 'read-only database' });
  await readOnly(false);
  await expect.poll(readiness).toMatchObject({ status: 'ready' });
  expect(program.output()).toContain('password ');
});

test.each(services)(
  '$name ends with one line if its database does not work within the time that is set',
  async ({ args, env, wait, url }) => {
    const { code, output } = await runProgram(args, { ...env(NO_DATABASE, 0), [wait]: '1' });
    expect(code).toBe(1);
    expect(output.replace(/^\{.*\n/, '').trim()).toBe(
      `${url}: Cannot open the database: connect ECONNREFUSED 127.0.0.1:1. Check that PostgreSQL runs there and that the URL is right. The start waited for 1 s (${wait}).`,
    );
  },
);

test.each(services)('$name does not wait for a database that is missing', async (service) => {
  await using database = await createTestDatabase();
  const url = database.url.replace(/\/\w+(?=\?|$)/, '/missing');
  const { code, output } = await runProgram(service.args, service.env(url, 0));
  expect(code).toBe(1);
  expect(output).toMatch(/database "missing" does not exist/);
  expect(output).not.toMatch(WAITS);
});
