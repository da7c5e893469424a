import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';

import { Proxies } from '@bellhop/http/proxy';
import { sealing } from '@bellhop/push-crypto';
import { createTlsIdentity } from '@bellhop/push-simulator';
import { expect, test } from 'vitest';

import { defaultQuotas } from '../quotas/quota-table.ts';
import { BadConfig, readConfig } from './bouncer-config.ts';
import { account, pem } from './credentials.fixture.ts';

const [authority = ''] = rootCertificates;
const pair = sealing.generateKeyPair();
const keys = JSON.stringify({ [pair.publicKey]: pair.secretKey });
const problems = (env: Record<string, string>) => {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (error instanceof BadConfig) return error.problems;
    throw error;
  }
};

test('readConfig needs only BELLHOP_BOUNCER_KEYS', () => {
  expect(readConfig({ BELLHOP_BOUNCER_KEYS: keys })).toEqual({
    keys: { [pair.publicKey]: pair.secretKey },
    encryptionKeys: [],
    senders: { apns: [], fcm: [], webpush: [] },
    proxies: new Proxies(),
    providerCa: undefined,
    registration: { servers: [], token: undefined },
    behindProxy: false,
    stopDelaySeconds: 5,
    databaseWaitSeconds: 120,
    quotas: defaultQuotas,
    formerKeySeconds: 86_400,
    auditDays: 365,
    traces: 200_000,
    retrySeconds: 3_600,
    databaseUrl: undefined,
    host: '127.0.0.1',
    port: 4_602,
  });
});

test('BELLHOP_BOUNCER_PROVIDER_CA is trusted beside the public authorities', async () => {
  const { ca } = await createTlsIdentity();
  const { providerCa = '' } = readConfig({
    BELLHOP_BOUNCER_KEYS: keys,
    BELLHOP_BOUNCER_PROVIDER_CA: ca,
  });
  expect(providerCa).toContain(ca.trim());
  expect(providerCa).toContain(authority.trim());
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
    senders: {
      apns: [
        {
          name: 'default',
          apps: undefined,
          environments: [
            {
              config: {
                url: 'https://api.sandbox.push.apple.com',
                keyId: 'ABCDEFGHIJ',
                teamId: '1234567890',
                privateKey,
              },
            },
          ],
        },
      ],
      fcm: [{ environments: [{ config: { url: 'https://fcm.googleapis.com', account } }] }],
    },
    behindProxy: true,
    port: 0,
  });
  // Their order is in the hash by which health and deletion guard are kept, over updates too.
  const [environment] = config.senders.apns[0]?.environments ?? [];
  expect(Object.keys(environment && 'config' in environment ? environment.config : {})).toEqual([
    'url',
    'keyId',
    'teamId',
    'privateKey',
  ]);
});

test('readConfig reads secrets from the directory of systemd credentials', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'bouncer-credentials-'));
  const encryptionKey = 'k'.repeat(32);
  await writeFile(join(directory, 'BELLHOP_BOUNCER_ENCRYPTION_KEY'), `${encryptionKey}\n`);
  const config = readConfig({ CREDENTIALS_DIRECTORY: directory });
  await rm(directory, { recursive: true });
  expect(config).toMatchObject({ keys: {}, encryptionKeys: [encryptionKey] });
});

test('readConfig reads quotas, and BELLHOP_BOUNCER_RATE_LIMIT as that of requests', () => {
  const read = (text: string) =>
    readConfig({
      BELLHOP_BOUNCER_KEYS: keys,
      BELLHOP_BOUNCER_RATE_LIMIT: '7',
      BELLHOP_BOUNCER_QUOTAS: text,
    }).quotas;
  expect(read('realm_devices=5, notifications_per_day=unlimited')).toEqual({
    ...defaultQuotas,
    requests_per_minute: 7,
    realm_devices: 5,
    notifications_per_day: Number.POSITIVE_INFINITY,
  });
  expect(() => read('devices=5')).toThrow(/^BELLHOP_BOUNCER_QUOTAS: devices is no quota: write/);
  for (const wrong of ['realm_devices=-5', 'realm_devices=5=100'])
    expect(() => read(wrong)).toThrow('realm_devices must be a whole number');
  expect(() => read('requests_per_minute=8')).toThrow('RATE_LIMIT has no effect beside');
  expect(() => read('realm_devices=5,realm_devices=6')).toThrow('realm_devices is given twice');
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
    'BELLHOP_BOUNCER_KEYS is not set: set it, or BELLHOP_BOUNCER_ENCRYPTION_KEY to keep the key pairs in the database',
    'BELLHOP_BOUNCER_FCM_ACCOUNT: must be JSON',
    'BELLHOP_BOUNCER_APNS_KEY: is not the text of a private key in PEM form',
    'BELLHOP_BOUNCER_APNS_KEY_ID: must be 10 capital letters and digits',
    'BELLHOP_BOUNCER_APNS_TEAM_ID is not set',
    expect.stringContaining('BELLHOP_BOUNCER_PROVIDER_CA_FILE: ENOENT'),
    'BELLHOP_BOUNCER_RATE_LIMIT: must be a whole number from 1 on',
  ]);
});

test('BadConfig names the variable of the file that has a bad value', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'bouncer-config-'));
  const file = join(directory, 'bad');
  await writeFile(file, 'no key');
  const found = problems({
    BELLHOP_BOUNCER_KEYS: keys,
    ...apnsIds,
    BELLHOP_BOUNCER_APNS_KEY_FILE: file,
    BELLHOP_BOUNCER_FCM_ACCOUNT_FILE: file,
  });
  await rm(directory, { recursive: true });
  expect(found).toEqual([
    'BELLHOP_BOUNCER_FCM_ACCOUNT_FILE: must be JSON',
    'BELLHOP_BOUNCER_APNS_KEY_FILE: is not the text of a private key in PEM form',
  ]);
});

const apnsIds = {
  BELLHOP_BOUNCER_APNS_KEY_ID: 'ABCDEFGHIJ',
  BELLHOP_BOUNCER_APNS_TEAM_ID: '1234567890',
};
const fcm = (changes: object) => ({
  BELLHOP_BOUNCER_FCM_ACCOUNT: JSON.stringify({ ...account, ...changes }),
});
const vapid = {
  BELLHOP_BOUNCER_VAPID_KEY: Buffer.alloc(32, 7).toString('base64url'),
  BELLHOP_BOUNCER_VAPID_SUBJECT: 'mailto:push@example.com',
};
test.each<[string, Record<string, string>, string[]]>([
  [
    'an RSA key as .p8',
    { ...apnsIds, BELLHOP_BOUNCER_APNS_KEY: pem('rsa') },
    [
      'BELLHOP_BOUNCER_APNS_KEY: is a private key of another kind (RSA); a .p8 file of Apple is EC P-256',
    ],
  ],
  [
    'a .p8 whose line breaks are lost',
    { ...apnsIds, BELLHOP_BOUNCER_APNS_KEY: pem('ec').replaceAll('\n', ' ') },
    ['BELLHOP_BOUNCER_APNS_KEY: is a damaged private key: are its line breaks still there?'],
  ],
  [
    'the IDs of a .p8 without the .p8',
    apnsIds,
    ['BELLHOP_BOUNCER_APNS_KEY is not set, but BELLHOP_BOUNCER_APNS_KEY_ID is'],
  ],
  [
    'a service account without two fields',
    fcm({ client_email: undefined, private_key_id: undefined }),
    [
      'BELLHOP_BOUNCER_FCM_ACCOUNT: the field private_key_id is missing',
      'BELLHOP_BOUNCER_FCM_ACCOUNT: the field client_email is missing',
    ],
  ],
  [
    'a service account with wrong fields',
    fcm({ project_id: 'no project', token_uri: 'x' }),
    [
      'BELLHOP_BOUNCER_FCM_ACCOUNT: the field project_id: must be the ID of a Firebase project',
      'BELLHOP_BOUNCER_FCM_ACCOUNT: the field token_uri: must be a URL',
    ],
  ],
  [
    'a service account with a key that is none',
    fcm({ private_key: 'secret' }),
    [
      'BELLHOP_BOUNCER_FCM_ACCOUNT: the field private_key is not the text of a private key in PEM form',
    ],
  ],
  [
    'a service account with an EC key',
    fcm({ private_key: pem('ec') }),
    ['BELLHOP_BOUNCER_FCM_ACCOUNT: the field private_key is a key of another kind (ec)'],
  ],
  [
    'certificates that are none',
    { BELLHOP_BOUNCER_PROVIDER_CA: 'x' },
    ['BELLHOP_BOUNCER_PROVIDER_CA: must hold certificates in PEM form'],
  ],
  [
    'a certificate without its end',
    {
      BELLHOP_BOUNCER_PROVIDER_CA: `${authority}\n-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----`,
    },
    ['BELLHOP_BOUNCER_PROVIDER_CA: must hold certificates in PEM form'],
  ],
  [
    'a URL with a path',
    {
      ...apnsIds,
      BELLHOP_BOUNCER_APNS_KEY: pem('ec'),
      BELLHOP_BOUNCER_APNS_URL: 'https://a.example/b',
    },
    ['BELLHOP_BOUNCER_APNS_URL: must be only scheme, host and port, as https://api.push.apple.com'],
  ],
  [
    'a URL without a scheme',
    { ...apnsIds, BELLHOP_BOUNCER_APNS_KEY: pem('ec'), BELLHOP_BOUNCER_APNS_URL: 'push.apple.com' },
    ['BELLHOP_BOUNCER_APNS_URL: must be a URL such as https://api.push.apple.com'],
  ],
  [
    'a file of a .p8 that does not exist',
    { ...apnsIds, BELLHOP_BOUNCER_APNS_KEY_FILE: '/does/not/exist' },
    [expect.stringMatching(/^BELLHOP_BOUNCER_APNS_KEY_FILE: ENOENT/) as string],
  ],
  [
    'a URL of a provider without its credentials, and a wrong one',
    { BELLHOP_BOUNCER_FCM_URL: 'fcm', BELLHOP_BOUNCER_APNS_URL: 'https://a.example' },
    [
      'BELLHOP_BOUNCER_FCM_URL: must be a URL such as https://api.push.apple.com',
      'BELLHOP_BOUNCER_FCM_ACCOUNT is not set, but BELLHOP_BOUNCER_FCM_URL is',
      'BELLHOP_BOUNCER_APNS_KEY is not set, but BELLHOP_BOUNCER_APNS_URL is',
    ],
  ],
  [
    'hosts and networks that are none, without a VAPID key',
    {
      BELLHOP_BOUNCER_WEBPUSH_HOSTS: `push.example.com,${'h '.repeat(31)},`,
      BELLHOP_BOUNCER_WEBPUSH_ALLOW: '10.0.0.0/8, 10.0.0.0/99',
    },
    [
      `BELLHOP_BOUNCER_WEBPUSH_HOSTS: entry 2 ("${'h '.repeat(30)}…") must be a host name such as push.example.com or *.example.com, or any`,
      'BELLHOP_BOUNCER_WEBPUSH_HOSTS: entry 3 (empty) must be a host name such as push.example.com or *.example.com, or any',
      'BELLHOP_BOUNCER_WEBPUSH_ALLOW: entry 2 ("10.0.0.0/99") must be a network such as 10.0.0.0/8',
      'BELLHOP_BOUNCER_VAPID_KEY is not set, but BELLHOP_BOUNCER_WEBPUSH_HOSTS is',
    ],
  ],
  [
    'too many hosts and networks',
    {
      ...vapid,
      BELLHOP_BOUNCER_WEBPUSH_HOSTS: Array.from(
        { length: 1_001 },
        (_, n) => `h${n}.example`,
      ).join(),
      BELLHOP_BOUNCER_WEBPUSH_ALLOW: Array.from({ length: 1_001 }, () => '10.0.0.1').join(),
    },
    [
      'BELLHOP_BOUNCER_WEBPUSH_HOSTS: lists more than 1000 hosts: write *.example.com for all hosts below example.com, or any',
      'BELLHOP_BOUNCER_WEBPUSH_ALLOW: lists more than 1000 networks: write wider ones, such as 10.0.0.0/8',
    ],
  ],
  [
    'hosts beside any',
    { ...vapid, BELLHOP_BOUNCER_WEBPUSH_HOSTS: 'any,push.example.com' },
    [
      'BELLHOP_BOUNCER_WEBPUSH_HOSTS: lists hosts beside any, which means all hosts: keep any or the hosts',
    ],
  ],
  [
    'times that no date can have',
    {
      BELLHOP_BOUNCER_FORMER_KEY_SECONDS: '9007199254740991',
      BELLHOP_BOUNCER_RETRY_SECONDS: '9007199254740991',
    },
    [
      'BELLHOP_BOUNCER_FORMER_KEY_SECONDS: must be a whole number from 0 to 31536000',
      'BELLHOP_BOUNCER_RETRY_SECONDS: must be a whole number from 0 to 2592000',
    ],
  ],
  [
    'secrets that are too short or too long, and proxies',
    {
      BELLHOP_BOUNCER_ENCRYPTION_KEY: `${'k'.repeat(32)},short`,
      BELLHOP_BOUNCER_OPERATOR_TOKEN: 'o'.repeat(201),
      https_proxy: 'http://ada:100%@proxy.example.com',
    },
    [
      'BELLHOP_BOUNCER_ENCRYPTION_KEY: entry 2 must have 32 characters or more',
      'https_proxy: has a % in its login: write it as %25',
      'BELLHOP_BOUNCER_OPERATOR_TOKEN: must have 200 characters or fewer',
    ],
  ],
  [
    'words for numbers, answers and servers',
    {
      BELLHOP_BOUNCER_PORT: '99999',
      BELLHOP_BOUNCER_BEHIND_PROXY: 'perhaps',
      BELLHOP_BOUNCER_SERVERS: 'chat.example.com',
      BELLHOP_BOUNCER_REGISTRATION_TOKEN: 'short',
    },
    [
      'BELLHOP_BOUNCER_SERVERS: entry 1 ("chat.example.com") is no ID: write those of chat servers (UUIDs), separated by commas, or any',
      'BELLHOP_BOUNCER_REGISTRATION_TOKEN: must have 32 characters or more',
      'BELLHOP_BOUNCER_BEHIND_PROXY: must be true or false',
      'BELLHOP_BOUNCER_PORT: must be a whole number from 0 to 65535',
    ],
  ],
])('BadConfig has one plain line for each fault: %s', (_fault, env, lines) => {
  expect(problems({ BELLHOP_BOUNCER_KEYS: keys, ...env })).toEqual(lines);
});

test('readConfig reads key pairs as JSON and as public:private', () => {
  const other = sealing.generateKeyPair();
  const text = [pair, other].map((one) => `${one.publicKey}:${one.secretKey}`).join(', ');
  expect(readConfig({ BELLHOP_BOUNCER_KEYS: text }).keys).toEqual({
    [pair.publicKey]: pair.secretKey,
    [other.publicKey]: other.secretKey,
  });
});

test('readConfig reads the chat servers that may register', () => {
  const read = (text: string) =>
    readConfig({ BELLHOP_BOUNCER_KEYS: keys, BELLHOP_BOUNCER_SERVERS: text }).registration.servers;
  const [one, two] = [randomUUID(), randomUUID()];
  expect(read('any')).toBe('any');
  expect(read(`${one.toUpperCase()}, ${two}`)).toEqual([one, two]);
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
