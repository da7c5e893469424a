import { createTestDatabase } from '@bellhop/postgres/testing';
import { createRealm, secretsOf, serverMigrations, type Tables } from '@bellhop/server/provision';
import { afterEach, expect, test, vi } from 'vitest';

import { runBellhop } from '../run-bellhop.fixture.ts';

afterEach(() => vi.unstubAllEnvs());

test('bellhop realm deactivates and reactivates the realm of a subdomain', async () => {
  await using created = await createTestDatabase<Tables>({ migrations: serverMigrations });
  vi.stubEnv('DATABASE_URL', created.url);
  const secrets = secretsOf('a secret for tests, and for tests only');
  for (const [subdomain, name] of [
    ['', 'Castle'],
    ['court', 'Court'],
  ] as const)
    await created.database.transaction((tx) =>
      createRealm(tx, { secrets, externalHost: 'chat.test' }, { subdomain, name }),
    );
  const active = async () =>
    (
      await created.database.kysely
        .selectFrom('realm')
        .select('name')
        .where('is_active', '=', true)
        .orderBy('id')
        .execute()
    ).map(({ name }) => name);
  const deactivate = ['realm', 'deactivate', '--subdomain', 'court'];
  expect((await runBellhop(...deactivate)).out).toBe(
    'The organization "Court" is now deactivated.\n',
  );
  expect(await active()).toEqual(['Castle']);
  expect((await runBellhop(...deactivate)).out).toBe(
    'The organization "Court" is already deactivated.\n',
  );
  const reactivated = await runBellhop('realm', 'reactivate', '--subdomain', 'court');
  expect(reactivated.out).toBe('The organization "Court" is now active.\n');
  expect(await active()).toEqual(['Castle', 'Court']);
  const unknown = await runBellhop('realm', 'deactivate', '--subdomain', 'nowhere');
  expect([unknown.code, unknown.err]).toEqual([
    1,
    expect.stringContaining('There is no organization with the subdomain "nowhere".'),
  ]);
});
