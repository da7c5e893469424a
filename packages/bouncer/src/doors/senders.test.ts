import { expect, test } from 'vitest';

import { newSigningKey, sendersOf } from '../health/senders.fixture.ts';
import type { SenderConfig, SenderConfigs } from '../providers/sender-config.ts';
import { pushRequests } from '../test-bouncer.fixture.ts';
import { codeOf, startPushTest, type TestDevice } from './push-test.fixture.ts';

const { bouncer, server, notify, notifyAll, addDevice, addDevices, received, requestsTo, arrival } =
  await startPushTest();
const { simulator } = bouncer;
const { apns, fcm } = sendersOf(bouncer.config);

const sandbox = { ...apns, url: simulator.apns_sandbox_url };
const phoneApp = 'org.bellhop.phone';
const apnsSender = (changes: Partial<SenderConfig<'apns'>> = {}): SenderConfig<'apns'> => ({
  name: 'phones',
  apps: [phoneApp],
  isDefault: true,
  environments: [
    { environment: 'production', config: apns },
    { environment: 'sandbox', config: sandbox },
  ],
  ...changes,
});
const fcmSender = (changes: Partial<SenderConfig<'fcm'>> = {}): SenderConfig<'fcm'> => ({
  name: 'androids',
  apps: undefined,
  isDefault: true,
  environments: [{ environment: 'production', config: fcm }],
  ...changes,
});
const broken = { environment: 'production', fault: 'apps.yaml:3: the key is lost' } as const;
const use = (senders: Partial<SenderConfigs>) =>
  bouncer.restart({
    senders: { apns: [apnsSender()], fcm: [fcmSender()], webpush: [], ...senders },
  });
interface State {
  provider: string;
  sender: string;
  environment: string;
  app: string | null;
  state: string;
  reason?: string;
}
const readiness = async () =>
  ((await (await fetch(`${bouncer.url}/readyz`)).json()) as { senders: State[] }).senders;
const register = (registration: object) =>
  codeOf(
    server.client.push.register({
      realm_uuid: server.realmUuid,
      push_account_id: 1n,
      encrypted_push_registration: bouncer.seal({
        timestamp: Math.floor(bouncer.now() / 1_000),
        ...registration,
      }),
      bouncer_public_key: bouncer.keyPair.publicKey,
    }),
  );
const environmentOf = async ({ deviceId }: TestDevice) =>
  (
    await bouncer.kysely
      .selectFrom('device')
      .select('environment')
      .where('device_id', '=', deviceId)
      .executeTakeFirstOrThrow()
  ).environment;

test('an iPhone of the sandbox gets its notifications there, and production is asked once', async () => {
  await use({});
  const [released, development] = [
    await addDevice('apns'),
    await addDevice('apns', { environment: 'sandbox' }),
  ];
  expect((await notifyAll('apns', released, development)).apple_successfully_sent_count).toBe(2);
  expect(await environmentOf(released)).toBe('production');
  expect(await environmentOf(development)).toBe('sandbox');
  const before = requestsTo(development).length;
  await notifyAll('apns', development);
  expect(requestsTo(development).length - before).toBe(1);
  expect(received(development)).toHaveLength(2);
});

test('a token that no environment knows is doubted until the app is proven, then deleted', async () => {
  await use({});
  const [live, unknown] = [await addDevice('apns'), await addDevice('apns')];
  await notifyAll('apns', live);
  const fault = { status: 400, reason: 'BadDeviceToken' };
  simulator.faults.add({ provider: 'apns', match: { token: unknown.token }, fault });
  expect((await notifyAll('apns', unknown)).delete_device_ids).toEqual([unknown.deviceId]);
  expect(requestsTo(unknown)).toHaveLength(2);
});

test('while one environment is paused, a phone that the other environment does not know is kept', async () => {
  await use({
    apns: [apnsSender({ environments: [broken, { environment: 'sandbox', config: sandbox }] })],
  });
  const device = await addDevice('apns');
  const { outcomes } = await notifyAll('apns', device);
  expect(outcomes).toMatchObject([{ outcome: 'queued' }]);
});

test('a registration for an app that no sender has is refused, and the error names the app', async () => {
  await use({ fcm: [fcmSender({ apps: ['org.example.chat'], isDefault: false })] });
  const iphone = { token_kind: 'apns', token: 'ab', ios_app_id: phoneApp };
  const android = { token_kind: 'fcm', token: 'x' };
  expect(await register(iphone)).toBe('success');
  expect(await register({ ...iphone, ios_app_id: 'org.example.other' })).toBe('BAD_REQUEST');
  expect(await register({ ...android, android_app_id: 'org.example.chat' })).toBe('success');
  expect(await register({ ...android, android_app_id: 'org.example.other' })).toBe('BAD_REQUEST');
  expect(await register(android)).toBe('BAD_REQUEST');
  expect(await register({ ...iphone, android_app_id: phoneApp })).toBe('BAD_REQUEST');
  await use({ fcm: [] });
  expect(await register(android)).toBe('success');
});

test('Android phones reach the Firebase project of their app, others the default project', async () => {
  const elsewhere = { ...fcm, account: { ...fcm.account, project_id: 'another-project' } };
  await use({
    fcm: [
      fcmSender({ name: 'own', isDefault: true, apps: ['org.example.own'] }),
      fcmSender({
        name: 'other',
        isDefault: false,
        apps: ['org.example.other'],
        environments: [{ environment: 'production', config: elsewhere }],
      }),
    ],
  });
  const own = await addDevice('fcm', { android_app_id: 'org.example.own' });
  const unnamed = await addDevice('fcm');
  const other = await addDevice('fcm', { android_app_id: 'org.example.other' });
  expect((await notifyAll('fcm', own, unnamed)).android_successfully_sent_count).toBe(2);
  expect((await notifyAll('fcm', other)).outcomes).toMatchObject([{ outcome: 'queued' }]);
  expect(received(other)).toEqual([]);
  expect((await notifyAll('fcm', own)).android_successfully_sent_count).toBe(1);
});

test('a sender with unusable credentials stops alone: one alarm, its notifications wait for the reload', async () => {
  const before = bouncer.errors().length;
  const lost = { ...broken, fault: 'apps.yaml:4: the key cannot be read' };
  const hurt = apnsSender({ environments: [lost] });
  const whole = { apns: [hurt], fcm: [fcmSender()], webpush: [] };
  await bouncer.restart({ senders: whole });
  const iphones = await addDevices('apns', 5);
  const android = await addDevice('fcm');
  const answer = await notify(
    ...iphones.map((iphone) => pushRequests.apns(iphone)),
    pushRequests.fcm(android),
  );
  expect(answer.outcomes.map(({ outcome }) => outcome)).toEqual([
    ...Array<string>(5).fill('queued'),
    'accepted',
  ]);
  const until = (answer.outcomes[0]?.until ?? 0) - bouncer.now() / 1_000;
  expect(until).toBeGreaterThan(86_000);
  const alarms = bouncer.errors().slice(before);
  expect(alarms).toMatchObject([{ alarm: 'credentials', reason: lost.fault }]);
  expect(await readiness()).toMatchObject([
    { provider: 'fcm', state: 'works' },
    {
      provider: 'apns',
      app: phoneApp,
      state: 'broken',
      reason: expect.stringContaining(lost.fault),
    },
  ]);
  const arrivals = Promise.all(iphones.map(arrival));
  const repaired = { ...hurt, environments: apnsSender().environments };
  await bouncer.reload({ senders: { ...whole, apns: [repaired] } });
  bouncer.clock.offsetMs += 61_000;
  await arrivals;
  expect(await readiness()).toMatchObject([{ state: 'works' }, { state: 'works' }, {}]);
});

test('the check at the start finds credentials and listed apps that a provider does not accept', async () => {
  const before = bouncer.errors().length;
  const refused = { ...apns, privateKey: newSigningKey() };
  const environment = 'production' as const;
  await use({
    apns: [
      apnsSender({ name: 'refused', environments: [{ environment, config: refused }] }),
      apnsSender({
        name: 'own',
        apps: ['org.example.foreign'],
        environments: [{ environment, config: apns }],
      }),
    ],
    fcm: [
      fcmSender({
        environments: [
          {
            environment,
            config: { ...fcm, account: { ...fcm.account, client_email: 'nobody@example.com' } },
          },
        ],
      }),
    ],
  });
  const found = bouncer.errors().slice(before) as unknown as { sender: string; reason: string }[];
  expect(found.map(({ sender, reason }) => `${sender}: ${reason.slice(0, 30)}`).toSorted()).toEqual(
    [
      'androids: the token endpoint refused the',
      'own: TopicDisallowed',
      'refused: InvalidProviderToken',
    ],
  );
  expect((await readiness()).map(({ state }) => state)).toEqual(['broken', 'broken', 'broken']);
});

test('a reload with an unusable key keeps the key that the sender has', async () => {
  await use({});
  const device = await addDevice('apns');
  await bouncer.reload({
    senders: { apns: [apnsSender({ environments: [broken] })], fcm: [], webpush: [] },
  });
  expect(bouncer.logged()).toContain('the sender keeps its credentials');
  expect((await notifyAll('apns', device)).apple_successfully_sent_count).toBe(1);
});

test('a reload that changes nothing keeps connections and tokens', async () => {
  await use({});
  const tokens = () => simulator.journal.counters()['oauth.token'] ?? 0;
  await notifyAll('fcm', await addDevice('fcm'));
  const before = tokens();
  await bouncer.reload({ senders: { apns: [apnsSender()], fcm: [fcmSender()], webpush: [] } });
  await notifyAll('fcm', await addDevice('fcm'));
  expect(tokens()).toBe(before);
});

test('keys are rotated under load without a failed notification', async () => {
  await use({});
  const devices = await addDevices('apns', 20);
  const keys = await Promise.all([simulator.addApnsKey(), simulator.addApnsKey()]);
  let isDone = false;
  const sent: number[] = [];
  const load = (async () => {
    while (!isDone) {
      const answer = await notifyAll('apns', ...devices);
      sent.push(answer.apple_successfully_sent_count);
    }
  })();
  for (const { key_id: keyId, private_key: privateKey } of keys) {
    const config = { ...apns, keyId, privateKey };
    const rotated = apnsSender({ environments: [{ environment: 'production', config }] });
    await bouncer.reload({ senders: { apns: [rotated], fcm: [fcmSender()], webpush: [] } });
    await notifyAll('apns', ...devices);
  }
  isDone = true;
  await load;
  expect(sent.length).toBeGreaterThan(0);
  expect(new Set(sent)).toEqual(new Set([20]));
});
