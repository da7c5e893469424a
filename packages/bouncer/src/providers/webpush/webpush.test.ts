import { MAX_PUSH_BYTES, stringifyJson } from '@bellhop/protocol';
import { payloadCipher } from '@bellhop/push-crypto';
import { expect, test } from 'vitest';

import { readConfig } from '../../bouncer.ts';
import { codeOf, startPushTest, type TestDevice } from '../../doors/push-test.fixture.ts';
import { sendersOf } from '../../health/senders.fixture.ts';
import { pushRequests } from '../../test-bouncer.fixture.ts';
import { judgeBy } from '../provider-verdict.ts';
import { ownHeaders } from './webpush-connection.ts';
import { Host, Subject } from './webpush-settings.ts';
import { readUndelivered, webPushVerdicts } from './webpush-verdicts.ts';

const { bouncer, server, notify, notifyAll, addDevice, received, requestsTo } =
  await startPushTest();
const { webpush, senders } = sendersOf(bouncer.config);

const registerAs = ({ registration }: TestDevice, changes: object) =>
  server.client.push.register({
    realm_uuid: server.realmUuid,
    push_account_id: 9n,
    encrypted_push_registration: bouncer.seal({ ...registration, ...changes }),
    bouncer_public_key: bouncer.keyPair.publicKey,
  });

test('a browser decrypts a notification that its push service cannot read, with the options of the request', async () => {
  const browser = await addDevice('webpush');
  const request = pushRequests.webpush(browser);
  const options = { ttl: 60, urgency: 'low', topic: 'thread-7' } as const;
  const answer = await notify({ ...request, webpush_headers: options });
  expect(answer).toMatchObject({
    web_successfully_sent_count: 1,
    outcomes: [{ outcome: 'accepted', provider: 'webpush', provider_id: expect.any(String) }],
  });
  expect(received(browser)).toMatchObject([{ ...options, body: stringifyJson(request.payload) }]);
  const [sent] = requestsTo(browser);
  expect(sent?.headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '60' });
  expect(JSON.stringify(sent)).not.toContain('encrypted_data');
});

test('the largest payload of a chat server fits, with an account number of 20 characters', async () => {
  const browser = await addDevice('webpush', { pushAccountId: -(2n ** 63n) });
  const { push_key } = payloadCipher.createKey();
  const encrypted = payloadCipher.encrypt({ x: 'x'.repeat(MAX_PUSH_BYTES - 8) }, push_key);
  const request = pushRequests.webpush(browser, encrypted);
  expect((await notify(request)).web_successfully_sent_count).toBe(1);
  const [notification] = received(browser);
  expect(notification).toMatchObject({ body: stringifyJson(request.payload) });
  const larger = { ...request, payload: { ...request.payload, more: 'x' } };
  expect((await notify(larger)).outcomes).toMatchObject([
    { outcome: 'refused', reason: 'message too large' },
  ]);
});

test('an endpoint whose host ends with a dot is the endpoint without it', async () => {
  const browser = await addDevice('webpush');
  const hosts = ['LocalHost.:4444', '*.push。example.org.'];
  await bouncer.restart(
    senders({ webpush: { ...webpush, hosts: hosts.map((host) => Host.parse(host)) } }),
  );
  await registerAs(browser, { token: 'https://localhost.:4444/1' });
  await registerAs(browser, { token: 'https://A.push.example.org./2' });
  const rows = await bouncer.kysely.selectFrom('device').select('token').execute();
  expect(rows.map(({ token }) => token)).toEqual(
    expect.arrayContaining(['https://localhost:4444/1', 'https://a.push.example.org/2']),
  );
  await bouncer.restart();
});

test.each(['*.[::1]', 'a..b', 'user@x', 'x?a', 'a:99999', '*'])(
  'the host %s of push services is refused',
  (host) => expect(Host.safeParse(host).success).toBe(false),
);

test('a push service that is listed without a port is at port 443 only', async () => {
  const browser = await addDevice('webpush');
  const hosts = ['push.example.org', '*.push.example.net', '*.example.com:8443'];
  await bouncer.restart(
    senders({ webpush: { ...webpush, hosts: hosts.map((host) => Host.parse(host)) } }),
  );
  const isPermitted = (token: string) =>
    registerAs(browser, { token }).then(
      () => true,
      () => false,
    );
  for (const token of [
    'https://push.example.org/1',
    'https://push.example.org:443/2',
    'https://a.push.example.net/3',
    'https://a.example.com:8443/4',
  ])
    expect([token, await isPermitted(token)]).toEqual([token, true]);
  for (const token of [
    'https://push.example.org:8443/1',
    'https://a.push.example.net:22/2',
    'https://a.example.com/3',
    'https://push.example.net/4',
  ])
    expect([token, await isPermitted(token)]).toEqual([token, false]);
  await bouncer.restart();
});

test.each([
  ['http', { token: 'http://127.0.0.1/push/1' }, 'an https URL'],
  ['another host', { token: 'https://push.example.com/1' }, 'BELLHOP_BOUNCER_WEBPUSH_HOSTS'],
  ['another port', { token: 'https://127.0.0.1:4444/1' }, 'BELLHOP_BOUNCER_WEBPUSH_HOSTS'],
  ['no keys', { webpush_keys: undefined }, 'webpush_keys: required'],
  ['a malformed key', { webpush_keys: { p256dh: 'x', auth: 'y' } }, '65 bytes'],
  [
    'a key that is no point of the curve',
    { webpush_keys: { p256dh: 'B'.repeat(87), auth: 'A'.repeat(22) } },
    'point of P-256',
  ],
])('a registration with %s is refused', async (_what, changes, reason) => {
  const browser = await addDevice('webpush');
  await expect(registerAs(browser, changes)).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: expect.stringContaining(reason),
  });
});

test('a registration for an address that is not public is refused, whatever hosts are allowed', async () => {
  const browser = await addDevice('webpush');
  await bouncer.restart(senders({ webpush: { ...webpush, hosts: 'any', allow: [] } }));
  for (const host of ['127.0.0.1', '10.0.0.1', '169.254.169.254', '[::1]', 'localhost'])
    await expect(registerAs(browser, { token: `https://${host}/1` })).rejects.toMatchObject({
      message: expect.stringContaining('not on the public internet'),
    });
  expect((await notifyAll('webpush', browser)).outcomes).toMatchObject([
    { outcome: 'refused', reason: expect.stringContaining('not on the public internet') },
  ]);
  await bouncer.restart();
});

test('browsers that subscribed with another VAPID key pause their push service with an alarm', async () => {
  const browsers = [
    await addDevice('webpush'),
    await addDevice('webpush'),
    await addDevice('webpush'),
  ];
  const fault = { status: 403, reason: 'forbidden' };
  bouncer.simulator.faults.add({ provider: 'webpush', times: 3, fault });
  await bouncer.restart(senders({ webpush: { ...webpush, subject: 'https://other.example.com' } }));
  const { outcomes } = await notifyAll('webpush', ...browsers);
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(['queued', 'queued', 'queued']);
  expect(bouncer.errors()).toMatchObject([{ alarm: 'credentials' }]);
  await bouncer.restart();
});

test('GET /v1/keys names the key that browsers subscribe with', async () => {
  const { vapid_public_key } = await server.v1.keys.list();
  expect(vapid_public_key).toBe(bouncer.simulator.credentials.webpush.public_key);
});

test('a Web Push configuration is checked at the start', () => {
  const environment = (changes: object) => ({
    BELLHOP_BOUNCER_KEYS: `${bouncer.keyPair.publicKey}:${bouncer.keyPair.secretKey}`,
    BELLHOP_BOUNCER_VAPID_KEY: webpush.privateKey,
    BELLHOP_BOUNCER_VAPID_SUBJECT: webpush.subject,
    ...changes,
  });
  expect(sendersOf(readConfig(environment({}))).webpush).toMatchObject({
    publicKey: webpush.publicKey,
    hosts: expect.arrayContaining(['*.push.apple.com']),
  });
  for (const [name, value] of [
    ['BELLHOP_BOUNCER_VAPID_KEY', 'short'],
    ['BELLHOP_BOUNCER_VAPID_SUBJECT', 'me'],
    ['BELLHOP_BOUNCER_WEBPUSH_HOSTS', 'https://push.example.com'],
    ['BELLHOP_BOUNCER_WEBPUSH_ALLOW', 'example.com'],
  ] as const)
    expect(() => readConfig(environment({ [name]: value }))).toThrow(name);
});

test.each([
  ['wns2-par02p.notify.windows.com', 0, { 'x-wns-cache-policy': 'no-cache' }],
  ['wns2-par02p.notify.windows.com', 60, { 'x-wns-cache-policy': 'cache' }],
  ['updates.push.services.mozilla.com', 0, {}],
])('%s with a time to live of %d gets the headers that it asks for', (host, ttl, headers) =>
  expect(ownHeaders(host, ttl)).toEqual(headers),
);

test.each([
  [{ 'x-wns-status': 'dropped' }, 'rejected'],
  [{ 'x-wns-notificationstatus': 'Dropped' }, 'rejected'],
  [{ 'x-wns-status': 'channelthrottled', 'retry-after': '90' }, 'retry'],
])('a success of Windows with %o is no accepted notification', (headers, kind) => {
  const response = { status: 200, headers, body: Buffer.alloc(0) };
  const refusal = readUndelivered(response, 0);
  expect(refusal && judgeBy(webPushVerdicts)(refusal, 0)).toMatchObject({ kind });
});

test.each([
  [{ 'x-wns-status': 'received' }, undefined],
  [{}, undefined],
])('a success with %o is an accepted notification', (headers, refusal) =>
  expect(readUndelivered({ status: 201, headers, body: Buffer.alloc(0) }, 0)).toBe(refusal),
);

test('a 406 of Windows is a throttled notification', () => {
  const refusal = { status: 406, reason: undefined, retryAfter: 90 };
  expect(judgeBy(webPushVerdicts)(refusal, 0)).toMatchObject({ kind: 'retry', after: 90 });
});

test.each([
  'mailto:push@localhost',
  'mailto:push@chat.local',
  'mailto:push@chat.LOCAL.',
  'mailto:push@localhost.localdomain',
  'mailto:mailto:push@example.com',
  'mailto: push@example.com',
  'mailto:<push@example.com>',
  'mailto:push@example.com?subject=x',
  'mailto:a@example.com,b@example.com',
  'mailto:push@example',
  'mailto:push@192.0.2.1',
  'mailto:',
  'https://localhost',
  'https://127.0.0.1',
  'https://[::1]/',
  'https://push.internal',
  'https://chat',
  'https://user@example.com',
  'https://',
  'http://example.com',
  'push@example.com',
])('the VAPID subject %s is refused', (subject) => {
  const { success, error } = Subject.safeParse(subject);
  expect(success).toBe(false);
  expect(error?.issues[0]?.message).toMatch(/; it must be one such as mailto:push@example.com/);
});

test.each([
  'mailto:push@example.com',
  'mailto:a.b+c@chat.example.co.uk',
  'https://example.com/push',
])('the VAPID subject %s is accepted', (subject) => expect(Subject.parse(subject)).toBe(subject));

test('a chat server without Web Push gets the reason for a browser', async () => {
  const browser = await addDevice('webpush');
  await bouncer.restart({ senders: { ...bouncer.config.senders, webpush: [] } });
  expect((await notifyAll('webpush', browser)).outcomes).toMatchObject([
    { outcome: 'configuration', reason: expect.stringContaining('BELLHOP_BOUNCER_VAPID_KEY') },
  ]);
  expect((await server.v1.keys.list()).vapid_public_key).toBeNull();
  expect(await codeOf(browser.register())).toBe('success');
  await bouncer.restart();
});
