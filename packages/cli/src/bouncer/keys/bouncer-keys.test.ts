import { parseEnv } from 'node:util';

import { type BouncerTables, migrations } from '@bellhop/bouncer';
import { createTestDatabase } from '@bellhop/postgres/testing';
import { expect, test, vi } from 'vitest';

import { runBellhop, stubVariables } from '../../run-bellhop.fixture.ts';
import { newSecrets } from '../../secrets/new-secrets.ts';
import { startOperatedBouncer } from '../operated-bouncer.fixture.ts';

const secrets = { ...parseEnv(newSecrets('keys')), ...parseEnv(newSecrets('encryption')) };
const [publicKey = '', privateKey = ''] = secrets['BELLHOP_BOUNCER_KEYS']?.split(':') ?? [];

const keys = (...args: readonly string[]) => runBellhop('bouncer', 'keys', ...args);
const rowsOf = (out: string) =>
  out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { public_key: string });

test('the offline commands import pairs, make one and encrypt them anew, without printing a private key', async () => {
  await using ends = new AsyncDisposableStack();
  const created = ends.use(await createTestDatabase<BouncerTables>({ migrations }));
  ends.defer(() => {
    vi.unstubAllEnvs();
  });
  vi.stubEnv('BELLHOP_BOUNCER_DATABASE_URL', created.url);
  stubVariables(secrets);
  expect(await keys('import')).toEqual({ code: 0, out: `${publicKey}\n`, err: '' });
  expect((await keys('import')).out).toContain('stored already');
  await created.database.kysely
    .updateTable('registration_key')
    .set({ sealed_secret: null, retired_at: new Date() })
    .execute();
  expect(await keys('import')).toEqual({
    code: 1,
    out: '',
    err: `${publicKey} was retired, so it was not imported. Take it out of BELLHOP_BOUNCER_KEYS, or use it again with "bellhop bouncer keys import --force".\n`,
  });
  expect(await keys('import', '--force')).toEqual({ code: 0, out: `${publicKey}\n`, err: '' });
  expect((await keys('first')).out.trim()).toMatch(/^[A-Za-z0-9+/]{43}=$/);
  const encryptionKey = secrets['BELLHOP_BOUNCER_ENCRYPTION_KEY'] ?? '';
  const newKey = encryptionKey.toUpperCase().padEnd(80, '-');
  vi.stubEnv('BELLHOP_BOUNCER_ENCRYPTION_KEY', `${newKey},${encryptionKey}`);
  expect(await keys('reseal')).toMatchObject({
    out: '2 key pairs are encrypted with the new key.\n',
  });
  vi.stubEnv('BELLHOP_BOUNCER_ENCRYPTION_KEY', '');
  const { code, err } = await keys('first');
  expect(code).toBe(1);
  expect(err).toMatch(/^Set BELLHOP_BOUNCER_ENCRYPTION_KEY, [^\n]*\n$/);
});

test('a running bouncer makes, lists and retires pairs, without telling a private key', async () => {
  await using bouncer = await startOperatedBouncer(secrets as Record<string, string>);
  expect(bouncer.url).not.toBe('');
  const newest = JSON.parse((await keys('create', '--json')).out) as { public_key: string };
  const table = await keys('list');
  expect(table.out).toMatch(/^public_key +state +kept_in +created +devices /);
  expect(table.out).not.toContain(privateKey);
  expect(rowsOf((await keys('list', '--json')).out)).toMatchObject([
    { public_key: newest.public_key, state: 'newest', can_retire: false },
    { public_key: publicKey, state: 'older', kept_in: 'environment' },
  ]);
  const last = await keys('retire', newest.public_key);
  expect([last.code, last.err]).toEqual([1, expect.stringContaining('Not retired: ')]);
  const second = await keys('create');
  const [told, made = ''] = second.out.split('\n');
  expect(told).toBe('A key pair was made. Ship its public key with the apps:');
  expect((await keys('retire', made, '--force')).out).toBe(
    `The private key of ${made} was deleted: phones can no longer register with it.\n`,
  );
  const configured = await keys('retire', publicKey, '--force');
  expect(configured.out).toBe(
    `Phones can no longer register with ${publicKey}. Its private key is still in BELLHOP_BOUNCER_KEYS of the bouncer, or in the file of that variable: take it out there.\n`,
  );
});
