import { parseEnv } from 'node:util';

import { readConfig as readBouncer } from '@bellhop/bouncer';
import { readConfig as readServer } from '@bellhop/server';
import { expect, test } from 'vitest';

import { runBellhop } from '../run-bellhop.fixture.ts';
import { newSecrets, secretKinds } from './new-secrets.ts';

test('newSecrets fits the configuration of a server and a bouncer, and differs at each call', () => {
  const env = parseEnv(newSecrets());
  const bouncer = readBouncer(env);
  expect(newSecrets()).toContain('# of the bouncer; its public key, for the apps, is ');
  expect(bouncer.registration.servers).toEqual([env['BELLHOP_BOUNCER_ORG_ID']]);
  expect(Object.keys(bouncer.keys)).toHaveLength(1);
  const server = readServer({
    ...env,
    BELLHOP_EXTERNAL_URL: 'https://chat.example.com',
    BELLHOP_BOUNCER_URL: 'https://push.example.com',
  });
  expect(server.bouncer?.orgId).toBe(env['BELLHOP_BOUNCER_ORG_ID']);
  // The form that the bouncer's contract requires.
  expect(env['BELLHOP_BOUNCER_ORG_KEY']).toMatch(/^[A-Za-z0-9]{64}$/);
  const again = parseEnv(newSecrets());
  for (const [name, value] of Object.entries(env)) expect(again[name]).not.toBe(value);
});

/** Lines as `docker --env-file` and others read them: quotes are part of the value. */
const withoutShell = (text: string) =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => !line.startsWith('#'))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );

test('newSecrets has the same values for readers of environment files that keep or remove quotes', () => {
  const text = newSecrets();
  expect(withoutShell(text)).toEqual(parseEnv(text));
  expect(Object.keys(readBouncer(withoutShell(text)).keys)).toHaveLength(1);
});

test.each([
  ['server', ['BELLHOP_SECRET']],
  ['org', ['BELLHOP_BOUNCER_ORG_ID', 'BELLHOP_BOUNCER_ORG_KEY', 'BELLHOP_BOUNCER_SERVERS']],
  ['keys', ['BELLHOP_BOUNCER_KEYS']],
  ['encryption', ['BELLHOP_BOUNCER_ENCRYPTION_KEY']],
  ['vapid', ['BELLHOP_BOUNCER_VAPID_KEY']],
  ['token', ['BELLHOP_BOUNCER_REGISTRATION_TOKEN']],
  ['operator', ['BELLHOP_BOUNCER_OPERATOR_TOKEN']],
])('bellhop secrets %s prints that kind of secret only', async (kind, names) => {
  const { code, out } = await runBellhop('secrets', kind);
  expect(code).toBe(0);
  expect(Object.keys(withoutShell(out.trim()))).toEqual(names);
});

test('bellhop secrets rejects an unknown kind with the list of kinds', async () => {
  const { code, err } = await runBellhop('secrets', 'all');
  expect(code).toBe(2);
  for (const kind of secretKinds) expect(err).toContain(kind);
});
