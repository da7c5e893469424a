import { parseEnv } from 'node:util';

import { type BouncerTables, migrations } from '@bellhop/bouncer';
import { createTestDatabase, type TestDatabase } from '@bellhop/postgres/testing';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { runBellhop } from '../../run-bellhop.fixture.ts';
import { newSecrets } from '../../secrets/new-secrets.ts';

const [own, next, wrong] = ['o', 'n', 'w'].map((letter) => letter.repeat(64));

let created: TestDatabase<BouncerTables>;
let publicKey: string;
beforeEach(async () => {
  created = await createTestDatabase<BouncerTables>({ migrations });
  vi.stubEnv('BELLHOP_BOUNCER_DATABASE_URL', created.url);
  vi.stubEnv('BELLHOP_BOUNCER_KEYS', '');
  publicKey = (await keys(own, 'first')).out.trim();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await created[Symbol.asyncDispose]();
});

function keys(encryptionKey = '', ...args: readonly string[]) {
  vi.stubEnv('BELLHOP_BOUNCER_ENCRYPTION_KEY', encryptionKey);
  return runBellhop('bouncer', 'keys', ...args);
}
/** Those whose private keys are stored, the newest first. */
const publicKeys = async () =>
  (
    await created.database.kysely
      .selectFrom('registration_key')
      .select('public_key')
      .where('retired_at', 'is', null)
      .orderBy('number', 'desc')
      .execute()
  ).map(({ public_key }) => public_key);

test.each(['first', 'import', 'reseal'])(
  'bellhop bouncer keys %s with a wrong encryption key changes nothing and says what to do in one line',
  async (command) => {
    vi.stubEnv('BELLHOP_BOUNCER_KEYS', parseEnv(newSecrets('keys'))['BELLHOP_BOUNCER_KEYS']);
    const { code, out, err } = await keys(wrong, command);
    vi.stubEnv('BELLHOP_BOUNCER_KEYS', '');
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/^BELLHOP_BOUNCER_ENCRYPTION_KEY is not the one [^\n]*\n$/);
    expect(err).toContain(publicKey);
    expect(err).toContain('Set the one that the bouncers have');
    expect(await publicKeys()).toEqual([publicKey]);
    expect((await keys(`${next},${own}`, 'reseal')).code).toBe(0);
  },
);

test('after the encryption key is lost, keys first --force gives up the stored pairs and begins anew', async () => {
  const fresh = (await keys(next, 'first', '--force')).out.trim();
  expect(await publicKeys()).toEqual([fresh]);
  expect((await keys(next, 'reseal')).code).toBe(0);
});

test('bellhop bouncer keys reseal says if the first encryption key is the present one', async () => {
  expect((await keys(`${own},${next}`, 'reseal')).out).toBe(
    'Every key pair is encrypted with the first key of BELLHOP_BOUNCER_ENCRYPTION_KEY already. To replace that key, put the new one before it.\n',
  );
  expect((await keys(`${next},${own}`, 'reseal')).out).toBe(
    '1 key pair is encrypted with the new key.\n',
  );
  expect((await keys(next, 'first')).code).toBe(0);
});
