import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { sealing } from '@bellhop/push-crypto';
import { newWebPushSubscription } from '@bellhop/push-crypto/web-push';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { readAppsFile } from './apps-file.ts';
import { BadConfig, readConfig } from './bouncer-config.ts';
import { account, pem } from './credentials.fixture.ts';

let directory: string;
const vapid = newWebPushSubscription();
const keys = { first: pem('ec'), second: pem('ec') };
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'apps-file-'));
  await writeFile(join(directory, 'first.p8'), keys.first);
  await writeFile(join(directory, 'second.p8'), keys.second);
  await writeFile(join(directory, 'rsa.p8'), pem('rsa'));
  await writeFile(join(directory, 'vapid.key'), `${vapid.private_key}\n`);
  await writeFile(join(directory, 'project.json'), JSON.stringify(account));
});
afterAll(() => rm(directory, { recursive: true }));

const read = async (text: string, credentials?: string) => {
  const path = join(directory, 'apps.yaml');
  await writeFile(path, text);
  const { senders, problems } = readAppsFile(path, credentials);
  return { senders, problems: problems.map((line) => line.replace(`${directory}/`, '')) };
};

const example = `# Two teams and two projects.
apns:
  - name: chat
    team_id: ABCDE12345
    key_id: FGHIJ67890
    key_file: first.p8
    apps: [org.example.chat, org.example.chat.beta]
    environments: [production, sandbox]
  - team_id: KLMNO12345
    key_id: PQRST67890
    key_credential: second.p8
webpush:
  - vapid_key_file: vapid.key
    subject: mailto:push@example.com
    hosts: [push.example.com, '*.push.example.org']
    allow: [10.0.0.0/8]
fcm:
  - name: chat
    account_file: project.json
    apps: [org.example.chat]
    default: true
  - account_credential: project.json
    apps: [org.example.other]
`;

test('readAppsFile reads teams, projects and a VAPID key, with keys from files and systemd credentials', async () => {
  const { senders, problems } = await read(example, directory);
  expect(problems).toEqual([]);
  expect(senders.apns).toEqual([
    {
      name: 'chat',
      apps: ['org.example.chat', 'org.example.chat.beta'],
      isDefault: true,
      environments: (['production', 'sandbox'] as const).map((environment) => ({
        environment,
        config: {
          url: `https://api.${environment === 'sandbox' ? 'sandbox.' : ''}push.apple.com`,
          teamId: 'ABCDE12345',
          keyId: 'FGHIJ67890',
          privateKey: keys.first.trim(),
        },
      })),
    },
    {
      name: 'KLMNO12345/PQRST67890',
      apps: undefined,
      isDefault: true,
      environments: [
        {
          environment: 'production',
          config: {
            url: 'https://api.push.apple.com',
            teamId: 'KLMNO12345',
            keyId: 'PQRST67890',
            privateKey: keys.second.trim(),
          },
        },
      ],
    },
  ]);
  expect(senders.fcm).toMatchObject([
    { name: 'chat', apps: ['org.example.chat'], isDefault: true },
    { name: 'project.json', apps: ['org.example.other'], isDefault: false },
  ]);
  const config = {
    privateKey: vapid.private_key,
    publicKey: vapid.p256dh,
    subject: 'mailto:push@example.com',
    hosts: ['push.example.com', '*.push.example.org'],
    allow: ['10.0.0.0/8'],
  };
  expect(senders.webpush).toEqual([
    {
      name: 'webpush',
      apps: undefined,
      isDefault: true,
      environments: [{ environment: 'production', config }],
    },
  ]);
});

test('an entry of the apps file sends to its own production_url, sandbox_url and url', async () => {
  const { senders, problems } = await read(`
apns:
  - { team_id: ABCDE12345, key_id: FGHIJ67890, key_file: first.p8, environments: [production, sandbox],
      production_url: https://apns.example.com:2197, sandbox_url: https://sandbox.example.com }
fcm: [{ account_file: project.json, url: https://fcm.example.com }]`);
  expect(problems).toEqual([]);
  expect(senders).toMatchObject({
    apns: [
      {
        environments: [
          { config: { url: 'https://apns.example.com:2197' } },
          { config: { url: 'https://sandbox.example.com' } },
        ],
      },
    ],
    fcm: [{ environments: [{ config: { url: 'https://fcm.example.com' } }] }],
  });
});

test('a URL of the apps file that would have no effect is a problem', async () => {
  const { problems } = await read(`
apns:
  - { team_id: ABCDE12345, key_id: FGHIJ67890, key_file: first.p8, sandbox_url: https://a.example.com }
fcm: [{ account_file: project.json, url: https://fcm.example.com/v1 }]`);
  expect(problems).toEqual([
    'apps.yaml:3: apns[0].sandbox_url: has no effect: environments does not list sandbox',
    'apps.yaml:4: fcm[0].url: must be only scheme, host and port, as https://api.push.apple.com',
  ]);
});

test('the example file of operations/ has no problem', () => {
  const example = new URL('../../operations/apps.example.yaml', import.meta.url);
  const { senders, problems } = readAppsFile(fileURLToPath(example), directory);
  expect(problems).toEqual([]);
  expect(senders).toMatchObject({
    apns: [{ name: 'chat' }, { name: 'partner', apps: undefined }],
    fcm: [{ isDefault: true }, { isDefault: false }],
  });
});

test('the only Firebase project serves phones that name no app', async () => {
  const { senders } = await read('fcm: [{ account_file: project.json, apps: [org.example.chat] }]');
  expect(senders.fcm).toMatchObject([{ isDefault: true }]);
});

test('readAppsFile reads JSON', async () => {
  const entry = { team_id: 'ABCDE12345', key_id: 'FGHIJ67890', key_file: 'first.p8' };
  const { senders } = await read(JSON.stringify({ apns: [entry] }, null, 2));
  expect(senders.apns).toMatchObject([{ name: 'ABCDE12345/FGHIJ67890' }]);
});

const entry = (...lines: string[]) =>
  [
    'apns:',
    '  - team_id: ABCDE12345',
    '    key_id: FGHIJ67890',
    ...lines.map((line) => `    ${line}`),
  ].join('\n');
test.each<[string, string, string[]]>([
  [
    'a wrong and an unknown field',
    'apns:\n  - team_id: ABCDE12345\n    key_id: short\n    key_file: first.p8\n    color: red',
    [
      'apps.yaml:3: apns[0].key_id: must be 10 capital letters and digits',
      'apps.yaml:2: apns[0]: Unrecognized key: "color"',
    ],
  ],
  [
    'a missing field',
    'apns:\n  - key_id: FGHIJ67890\n    key_file: first.p8',
    ['apps.yaml:2: apns[0].team_id: Invalid input: expected string, received undefined'],
  ],
  ['no key', entry(), ['apps.yaml:2: apns[0]: needs either key_file or key_credential']],
  [
    'two keys',
    entry('key_file: first.p8', 'key_credential: second'),
    ['apps.yaml:2: apns[0]: needs either key_file or key_credential'],
  ],
  [
    'an unknown environment',
    entry('key_file: first.p8', 'environments:', '  - production', '  - staging'),
    ['apps.yaml:7: apns[0].environments[1]: must be production or sandbox'],
  ],
  [
    'an app that is none',
    entry('key_file: first.p8', 'apps:', '  - org.example.chat', '  - not/an/app'),
    ['apps.yaml:7: apns[0].apps[1]: must be a bundle ID such as org.example.chat'],
  ],
  [
    'an app of two entries',
    `${entry('key_file: first.p8', 'name: one', 'apps: [a.b]')}\n${entry('key_file: second.p8', 'name: two', 'apps: [a.b]').replace('apns:\n', '')}`,
    ['apps.yaml:7: apns[1]: another entry has the app a.b in production'],
  ],
  [
    'an app of two entries in different environments, with other apps in one of them',
    `${entry('key_file: first.p8', 'name: one', 'apps: [a.b, a.c]')}\n${entry('key_file: second.p8', 'name: two', 'apps: [a.b]', 'environments: [sandbox]').replace('apns:\n', '')}`,
    [
      'apps.yaml:7: apns[1]: the entry one has the app a.b, too: for one app in two environments both entries list the same apps',
    ],
  ],
  [
    'two entries without apps and without names',
    `${entry('key_file: first.p8')}\n${entry('key_file: second.p8').replace('apns:\n', '')}`,
    [
      'apps.yaml:5: apns[1]: another entry has the name ABCDE12345/FGHIJ67890: give this one a name',
      'apps.yaml:5: apns[1]: another entry has no apps in production: list the apps of one of them',
    ],
  ],
  [
    'two default projects',
    'fcm:\n  - { account_file: a.json, default: true }\n  - account_file: b.json\n    apps: [a.b]\n    default: true',
    ['apps.yaml:5: fcm[1].default: another project is the default'],
  ],
  [
    'a broken YAML',
    'apns:\n  - team_id: "x\n',
    [expect.stringMatching(/^apps.yaml:\d+: Missing closing/)],
  ],
  ['a key twice', 'fcm: []\nfcm: []', ['apps.yaml:2: Map keys must be unique']],
  [
    'a VAPID key without an address, hosts with a path, a network that is none',
    'webpush:\n  - vapid_key_file: vapid.key\n    subject: push@example.com\n    hosts:\n      - push.example.com/v2\n    allow: [inside]',
    [
      'apps.yaml:3: webpush[0].subject: is no address with mailto: or https:; it must be one such as mailto:push@example.com or https://example.com',
      'apps.yaml:5: webpush[0].hosts[0]: must be a host name such as push.example.com or *.example.com, or any',
      'apps.yaml:6: webpush[0].allow[0]: must be a network such as 10.0.0.0/8',
    ],
  ],
  [
    'two VAPID keys',
    'webpush:\n  - { vapid_key_file: a, subject: mailto:a@b.org }\n  - { vapid_key_file: b, subject: mailto:a@b.org }',
    [
      'apps.yaml:2: webpush: has more than one entry: browsers do not say which key they have subscribed with',
    ],
  ],
  ['a list', '- fcm', [expect.stringMatching(/^apps.yaml:1: Invalid input: expected object/)]],
])('a problem has file, line and field: %s', async (_fault, text, lines) => {
  expect((await read(text)).problems).toEqual(lines);
});

test('two entries for the same apps, each with the key of one environment, are one sender', async () => {
  const second = entry(
    'key_file: second.p8',
    'name: dev',
    'apps: [a.c, a.b]',
    'environments: [sandbox]',
  );
  const { senders, problems } = await read(
    `${entry('key_file: first.p8', 'name: live', 'apps: [a.b, a.c]')}\n${second.replace('apns:\n', '')}`,
  );
  expect(problems).toEqual([]);
  expect(senders.apns).toMatchObject([
    {
      name: 'live + dev',
      apps: ['a.b', 'a.c'],
      environments: [
        { environment: 'production', config: { privateKey: keys.first.trim() } },
        { environment: 'sandbox', config: { privateKey: keys.second.trim() } },
      ],
    },
  ]);
});

test.each([
  [
    'rsa.p8',
    'apps.yaml:2: apns[0]: the key is a private key of another kind (RSA); a .p8 file of Apple is EC P-256',
  ],
  ['nowhere.p8', expect.stringMatching(/^apps.yaml:2: apns\[0\]: the key ENOENT.*nowhere.p8/)],
])('a key that cannot be used breaks its sender only: %s', async (file, fault) => {
  const text = `${entry(`key_file: ${file}`)}\nfcm:\n  - account_file: project.json\n`;
  const { senders, problems } = await read(text);
  expect(problems).toEqual([]);
  const [environment] = senders.apns[0]?.environments ?? [];
  const found = environment && 'fault' in environment ? environment.fault : '';
  expect(found.replace(`${directory}/`, '')).toEqual(fault);
  expect(senders.fcm[0]?.environments).toMatchObject([{ config: { account } }]);
});

test('a VAPID key that cannot be used breaks Web Push only', async () => {
  const { senders, problems } = await read(
    `${entry('key_file: first.p8')}\nwebpush: [{ vapid_key_file: first.p8, subject: 'mailto:a@b.org' }]`,
  );
  expect(problems).toEqual([]);
  expect(senders.webpush[0]?.environments).toEqual([
    {
      environment: 'production',
      fault: expect.stringMatching(/apps.yaml:5: webpush\[0\]: the VAPID key must be 32 bytes/),
    },
  ]);
  expect(senders.apns[0]?.environments).toMatchObject([{ config: { keyId: 'FGHIJ67890' } }]);
});

test('a fault of an account names its field, without the key', async () => {
  const { private_key, ...rest } = account;
  await writeFile(join(directory, 'bad.json'), JSON.stringify(rest));
  const { senders } = await read('fcm: [{ account_file: bad.json }]');
  const text = JSON.stringify(senders.fcm);
  expect(text).toContain('private_key');
  expect(text).not.toContain(private_key.slice(50, 80));
});

test('BELLHOP_BOUNCER_APPS_FILE beside the variables of one provider is a problem', async () => {
  await writeFile(join(directory, 'apps.yaml'), example);
  const pair = sealing.generateKeyPair();
  const env = {
    BELLHOP_BOUNCER_KEYS: `${pair.publicKey}:${pair.secretKey}`,
    BELLHOP_BOUNCER_APPS_FILE: join(directory, 'apps.yaml'),
    CREDENTIALS_DIRECTORY: directory,
  };
  expect(readConfig(env).senders.fcm).toHaveLength(2);
  const problems = (variable: string, value: string) => {
    try {
      readConfig({ ...env, [variable]: value });
      return [];
    } catch (error) {
      return error instanceof BadConfig ? error.problems : [error];
    }
  };
  for (const [variable, value] of Object.entries({
    BELLHOP_BOUNCER_APNS_KEY: keys.first,
    BELLHOP_BOUNCER_APNS_KEY_FILE: join(directory, 'first.p8'),
    BELLHOP_BOUNCER_APNS_KEY_ID: 'ABCDE12345',
    BELLHOP_BOUNCER_APNS_URL: 'https://apns.example.com',
    BELLHOP_BOUNCER_FCM_ACCOUNT: JSON.stringify(account),
    BELLHOP_BOUNCER_FCM_URL: 'https://fcm.example.com',
  }))
    expect(problems(variable, value)).toEqual([
      `${variable} has no effect beside BELLHOP_BOUNCER_APPS_FILE: keep one of them`,
    ]);
});
