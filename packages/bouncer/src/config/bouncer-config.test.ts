import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { sealing } from '@bellhop/push-crypto';
import { expect, test } from 'vitest';

import { BadConfig, readConfig } from './bouncer-config.ts';

const pair = sealing.generateKeyPair();
const keys = JSON.stringify({ [pair.publicKey]: pair.secretKey });
const pem = (type: 'ec' | 'rsa') =>
  (type === 'ec'
    ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
    : generateKeyPairSync('rsa', { modulusLength: 2048 })
  ).privateKey
    .export({ type: 'pkcs8', format: 'pem' })
    .toString();
const account = {
  project_id: 'project',
  private_key_id: 'id',
  private_key: pem('rsa'),
  client_email: 'a@example.com',
  token_uri: 'https://oauth2.googleapis.com/token',
};
const problems = (env: Record<string, string>) => {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (error instanceof BadConfig) return error.message.split('\n');
    throw error;
  }
};

test('readConfig needs only BELLHOP_BOUNCER_KEYS', () => {
  expect(readConfig({ BELLHOP_BOUNCER_KEYS: keys })).toEqual({
    keys: { [pair.publicKey]: pair.secretKey },
    providers: { apns: undefined, fcm: undefined },
    providerCa: undefined,
    behindProxy: false,
    requestsPerMinute: 1_000,
    retrySeconds: 3_600,
    databaseUrl: undefined,
    host: '127.0.0.1',
    port: 4_602,
  });
});

test('readConfig reads variables, and secrets from the files that NAME_FILE names', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'bouncer-config-'));
  const file = join(directory, 'account.json');
  await writeFile(file, `${JSON.stringify(account)}\n`);
  const privateKey = pem('ec');
  const config = readConfig({
    BELLHOP_BOUNCER_KEYS: keys,
    BELLHOP_BOUNCER_APNS_KEY: privateKey,
    BELLHOP_BOUNCER_APNS_KEY_ID: 'ABCDEFGHIJ',
    BELLHOP_BOUNCER_APNS_TEAM_ID: '1234567890',
    BELLHOP_BOUNCER_APNS_URL: 'https://api.sandbox.push.apple.com/',
    BELLHOP_BOUNCER_FCM_ACCOUNT_FILE: file,
    BELLHOP_BOUNCER_BEHIND_PROXY: 'true',
    BELLHOP_BOUNCER_PORT: '0',
  });
  await rm(directory, { recursive: true });
  expect(config).toMatchObject({
    providers: {
      apns: {
        url: 'https://api.sandbox.push.apple.com',
        keyId: 'ABCDEFGHIJ',
        teamId: '1234567890',
        privateKey,
      },
      fcm: { url: 'https://fcm.googleapis.com', account },
    },
    behindProxy: true,
    port: 0,
  });
});

test('BadConfig names every problem', () => {
  expect(
    problems({
      BELLHOP_BOUNCER_APNS_KEY: 'no key',
      BELLHOP_BOUNCER_APNS_KEY_ID: 'short',
      BELLHOP_BOUNCER_FCM_ACCOUNT: '{',
      BELLHOP_BOUNCER_RATE_LIMIT: '-1',
      BELLHOP_BOUNCER_PROVIDER_CA_FILE: '/does/not/exist',
    }),
  ).toEqual([
    'BELLHOP_BOUNCER_KEYS is not set',
    'BELLHOP_BOUNCER_FCM_ACCOUNT: must be JSON',
    'BELLHOP_BOUNCER_APNS_KEY_ID: must be 10 capital letters and digits',
    'BELLHOP_BOUNCER_APNS_TEAM_ID is not set',
    expect.stringMatching(/^BELLHOP_BOUNCER_APNS_KEY holds an unusable key/),
    expect.stringContaining('BELLHOP_BOUNCER_PROVIDER_CA_FILE: ENOENT'),
    'BELLHOP_BOUNCER_RATE_LIMIT: must be a whole number',
  ]);
});

test('BadConfig names a key pair that does not match, without the private key', () => {
  const other = sealing.generateKeyPair();
  const [problem = ''] = problems({
    BELLHOP_BOUNCER_KEYS: JSON.stringify({ [pair.publicKey]: other.secretKey }),
  });
  expect(problem).toContain('does not match that public key');
  expect(problem).not.toContain(other.secretKey);
  for (const keysText of ['{}', '[]', 'x', '{"a":"b"}'])
    expect(problems({ BELLHOP_BOUNCER_KEYS: keysText })).toHaveLength(1);
});
