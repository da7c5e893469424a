import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createTestDatabase } from '@bellhop/postgres/testing';
import { roles } from '@bellhop/protocol';
import {
  createRealm,
  createUser,
  secretsOf,
  serverMigrations,
  type Tables,
} from '@bellhop/server/provision';
import { afterEach, expect, test, vi } from 'vitest';

import { runBellhop } from '../run-bellhop.fixture.ts';

afterEach(() => vi.unstubAllEnvs());

test('bellhop realm makes no database where there is none, and says which variable is missing', async () => {
  const dataDir = join(tmpdir(), `bellhop-none-${randomUUID()}`);
  vi.stubEnv('DATABASE_URL', '');
  vi.stubEnv('BELLHOP_DATA_DIR', dataDir);
  const { code, err } = await runBellhop('realm', 'grant', 'ada@chat.test', 'create-users');
  expect(err).toBe(
    `There is no database in ${dataDir}. Run the command with the environment of the server: its DATABASE_URL, or BELLHOP_DATA_DIR.\n`,
  );
  expect(code).not.toBe(0);
  expect(existsSync(dataDir)).toBe(false);
});

test('bellhop realm grants and revokes the right to create users', async () => {
  await using created = await createTestDatabase<Tables>({ migrations: serverMigrations });
  vi.stubEnv('DATABASE_URL', created.url);
  const secrets = secretsOf('a secret for tests, and for tests only');
  await created.database.transaction(async (tx) => {
    const id = await createRealm(
      tx,
      { secrets, externalHost: 'chat.test' },
      { subdomain: '', name: 'Castle' },
    );
    for (const [name, role] of [
      ['ada', roles.admin],
      ['max', roles.member],
    ] as const)
      await createUser(
        tx,
        { realm: { id }, secrets },
        { email: `${name}@chat.test`, full_name: name, role },
      );
  });
  const mayCreate = async () =>
    (
      await created.database.kysely
        .selectFrom('realm_user')
        .select('delivery_email')
        .where('can_create_users', '=', true)
        .execute()
    ).map((user) => user.delivery_email);
  const run = (...args: string[]) => runBellhop('realm', ...args);
  expect((await run('grant', 'Ada@chat.test', 'create-users')).out).toBe(
    'Ada@chat.test has the right create-users now.\n',
  );
  expect(await mayCreate()).toEqual(['ada@chat.test']);
  expect((await run('grant', ' ada@chat.test ', 'create-users')).out).toContain('already');
  for (const [args, message] of [
    [['grant', 'max@chat.test', 'create-users'], 'is no administrator'],
    [['grant', 'ada@chat.test', 'change-emails'], 'is no owner'],
    [['grant', 'nobody@chat.test', 'create-users'], 'Nobody with an active account'],
    [['grant', 'ada@chat.test', 'fly'], '"fly" is no right: write create-users or change-emails.'],
    [['grant', 'ada@chat.test', 'create-users', '--subdomain', 'court'], 'no organization'],
  ] as const) {
    const { code, err } = await run(...args);
    expect(code).not.toBe(0);
    expect(err).toContain(message);
  }
  expect((await run('revoke', 'ada@chat.test', 'create-users')).out).toBe(
    'ada@chat.test does not have the right create-users now.\n',
  );
  expect(await mayCreate()).toEqual([]);
});
