import { parseEnv } from 'node:util';

import { type BouncerTables, migrations } from '@bellhop/bouncer';
import { createTestDatabase, type TestDatabase } from '@bellhop/postgres/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { runBellhop } from '../../run-bellhop.fixture.ts';
import { newSecrets } from '../../secrets/new-secrets.ts';

const secrets = { ...parseEnv(newSecrets('keys')), ...parseEnv(newSecrets('encryption')) };
const [publicKey = '', privateKey = ''] = secrets['BELLHOP_BOUNCER_KEYS']?.split(':') ?? [];

let created: TestDatabase<BouncerTables>;
beforeAll(async () => {
  created = await createTestDatabase<BouncerTables>({ migrations });
  vi.stubEnv('BELLHOP_BOUNCER_DATABASE_URL', created.url);
  for (const [name, value] of Object.entries(secrets)) vi.stubEnv(name, value);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await created[Symbol.asyncDispose]();
});

const keys = (...args: readonly string[]) => runBellhop('bouncer', 'keys', ...args);

test('bellhop bouncer keys imports, creates, lists and retires without printing a private key', async () => {
  expect(await keys('import')).toEqual({ code: 0, out: `${publicKey}\n`, err: '' });
  expect((await keys('import')).out).toContain('stored already');
  const newest = (await keys('create')).out.trim();
  expect(newest).toMatch(/^[A-Za-z0-9+/]{43}=$/);

  const table = await keys('list');
  expect(table.out).toMatch(/^public_key +state +kept_in +created_at +devices /);
  expect(table.out.indexOf(newest)).toBeLessThan(table.out.indexOf(publicKey));
  expect(table.out).toContain('no living device registered with it');
  expect(table.out).not.toContain(privateKey);

  const encryptionKey = secrets['BELLHOP_BOUNCER_ENCRYPTION_KEY'] ?? '';
  const newKey = encryptionKey.toUpperCase().padEnd(80, '-');
  vi.stubEnv('BELLHOP_BOUNCER_ENCRYPTION_KEY', `${newKey},${encryptionKey}`);
  expect(await keys('reseal')).toMatchObject({
    out: '2 key pairs are encrypted with the new key.\n',
  });
  expect((await keys('retire', publicKey)).out).toBe(`${publicKey} is retired.\n`);
  const { out } = await keys('list', '--json');
  expect(
    out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object),
  ).toMatchObject([
    { public_key: newest, state: 'newest', can_retire: false },
    { public_key: publicKey, state: 'retired' },
  ]);
  const last = await keys('retire', newest, '--force');
  expect([last.code, last.err]).toEqual([1, 'This is the last key: create another one first.\n']);
});

test('bellhop bouncer keys create names the missing encryption key', async () => {
  vi.stubEnv('BELLHOP_BOUNCER_ENCRYPTION_KEY', '');
  const { code, err } = await keys('create');
  vi.stubEnv('BELLHOP_BOUNCER_ENCRYPTION_KEY', secrets['BELLHOP_BOUNCER_ENCRYPTION_KEY']);
  expect(code).toBe(1);
  expect(err).toMatch(/^Set BELLHOP_BOUNCER_ENCRYPTION_KEY, [^\n]*\n$/);
});
