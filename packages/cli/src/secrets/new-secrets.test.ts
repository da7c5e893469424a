import { parseEnv } from 'node:util';

import { readConfig as readBouncer } from '@bellhop/bouncer';
import { readConfig as readServer } from '@bellhop/server';
import { expect, test } from 'vitest';

import { newSecrets } from './new-secrets.ts';

test('newSecrets fits the configuration of a server and a bouncer, and differs at each call', () => {
  const env = parseEnv(newSecrets());
  const bouncer = readBouncer(env);
  expect(newSecrets()).toContain('# of the bouncer; its public key is ');
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
