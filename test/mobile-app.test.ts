import { appDataOf } from '@bellhop/push-simulator';
import type { Person } from '@bellhop/server/testing';
import { sql } from 'kysely';
import { expect, test } from 'vitest';

import { MobileApp } from './support/mobile-app.ts';
import { type PushStack, startPushStack } from './support/push-stack.ts';

const DAY = 86_400;
/** The clock of app, chat server and bouncer. */
let now = Math.floor(Date.now() / 1_000);
const clock = { now: () => now };

/** The app on a simulated phone. */
function installApp(
  { simulator, bouncerPublicKey }: PushStack,
  person: Person,
  kind: 'apns' | 'fcm',
) {
  const { token, app_id } = simulator.addDevice({ kind });
  const app = new MobileApp(person, { ...clock, kind, token, app_id, bouncerPublicKey });
  return {
    app,
    /** What the app has shown since the phone was new, decrypted, with all tokens that it had. */
    shown: (tokens: readonly string[] = [app.token]) =>
      tokens.flatMap((one) =>
        simulator.devices.received(one).map((received) => app.read(appDataOf(received).fields)),
      ),
  };
}

const deviceOf = async ({ client }: Person, app: MobileApp) => {
  const { devices } = await client.queues.register({ fetch_event_types: ['device'] });
  return devices?.[String(app.deviceId)];
};
const isActive = (person: Person, app: MobileApp) =>
  expect
    .poll(() => deviceOf(person, app))
    .toMatchObject({ push_token_id: expect.any(String), pending_push_token_id: null });

const say = async (from: Person, to: Person, content: string) =>
  (await from.client.messages.send({ type: 'direct', to: [to.user.id], content })).id;

test.each(['apns', 'fcm'] as const)(
  'the app (%s) registers once, reads what it is sent, and tells nothing that the server knows',
  async (kind) => {
    await using stack = await startPushStack(clock);
    const { chat } = stack;
    const { hamlet, cordelia } = chat.people;
    const { app, shown } = installApp(stack, hamlet, kind);
    await app.start(chat);
    await isActive(hamlet, app);
    expect(Object.keys(app.registrations[0] ?? {})).toEqual([
      'device_id',
      'push_key_id',
      'push_key',
      'token_kind',
      'token_id',
      'bouncer_public_key',
      'encrypted_push_registration',
    ]);

    const id = await say(cordelia, hamlet, 'Grüße 👋');
    await expect
      .poll(() => shown())
      .toMatchObject([
        {
          type: 'message',
          content: 'Grüße 👋',
          message_id: id,
          recipient_user_ids: [hamlet.user.id, cordelia.user.id].toSorted((a, b) => a - b),
        },
      ]);
    await hamlet.client.messages.setFlag({ messages: [id], op: 'add', flag: 'read' });
    await expect.poll(() => shown()).toMatchObject([{}, { type: 'remove', message_ids: [id] }]);

    await app.start(chat);
    expect(app.registrations).toHaveLength(1);
    expect(await deviceOf(hamlet, app)).toMatchObject({ push_key_id: app.keyIds[0] });
  },
);

test('a new token replaces the old one, which is forgotten, and no notification is lost meanwhile', async () => {
  await using stack = await startPushStack(clock);
  const { chat, simulator } = stack;
  const { hamlet, cordelia } = chat.people;
  const { app, shown } = installApp(stack, hamlet, 'fcm');
  await app.start(chat);
  await isActive(hamlet, app);
  const former = app.token;
  app.token = simulator.addDevice({ kind: 'fcm' }).token;
  await app.start(chat);
  expect(Object.keys(app.registrations[1] ?? {})).not.toContain('push_key');
  const id = await say(cordelia, hamlet, 'to either token');
  await isActive(hamlet, app);
  await expect.poll(() => shown([former, app.token])).toMatchObject([{ message_id: id }]);
  const known = () => stack.tables.selectFrom('device').select('device_id').execute();
  expect(await known()).toHaveLength(2);
  // The bouncer forgets the former one when nothing to it can be on its way.
  await sql`update job set due_at = now() where name = 'remove_from_bouncer'`.execute(
    chat.server.app.db.kysely,
  );
  await expect.poll(known).toHaveLength(1);
});

test('after 30 days the app has a new key and sends its token again; it reads what was in flight with the old one', async () => {
  await using stack = await startPushStack(clock);
  const { chat, simulator } = stack;
  const { hamlet, cordelia } = chat.people;
  const { app, shown } = installApp(stack, hamlet, 'apns');
  await app.start(chat);
  await isActive(hamlet, app);
  now += 30 * DAY - 60;
  simulator.devices.setOnline(app.token, false);
  await say(cordelia, hamlet, 'before');
  const sent = async () =>
    (await hamlet.client.devices.traces()).traces.map(({ outcome }) => outcome);
  await expect.poll(sent).toEqual(['accepted']);
  now += 120;
  await app.start(chat);
  expect(Object.keys(app.registrations[1] ?? {})).toEqual([
    'device_id',
    'push_key_id',
    'push_key',
    'token_kind',
    'token_id',
    'bouncer_public_key',
    'encrypted_push_registration',
  ]);
  await isActive(hamlet, app);
  expect(await deviceOf(hamlet, app)).toMatchObject({
    push_key_id: app.keyIds[1],
    push_token_last_updated_timestamp: now,
  });
  await app.start(chat);
  expect(app.registrations).toHaveLength(2);
  await say(cordelia, hamlet, 'after');
  simulator.devices.setOnline(app.token, true);
  await expect
    .poll(() => shown().map((payload) => payload?.['content']))
    .toEqual(['before', 'after']);
});

test('an app that logs out gets nothing more, and a lost device is made anew at the next login', async () => {
  await using stack = await startPushStack(clock);
  const { chat } = stack;
  const { hamlet } = chat.people;
  const { app } = installApp(stack, hamlet, 'fcm');
  await app.start(chat);
  await isActive(hamlet, app);
  const first = app.deviceId;
  await app.logOut(chat);
  expect(await hamlet.client.queues.register({ fetch_event_types: ['device'] })).toMatchObject({
    devices: {},
  });
  await expect
    .poll(() => stack.tables.selectFrom('device').select('device_id').execute())
    .toEqual([]);
  await app.start(chat);
  await isActive(hamlet, app);
  expect(app.deviceId).not.toBe(first);
});

test('an app whose token the provider calls dead registers again when it is opened', async () => {
  await using stack = await startPushStack(clock);
  const { chat, simulator } = stack;
  const { hamlet } = chat.people;
  const { app, shown } = installApp(stack, hamlet, 'apns');
  await app.start(chat);
  await isActive(hamlet, app);
  // A bouncer that no provider has accepted anything from doubts what they call dead.
  await hamlet.client.devices.testNotification();
  now += 60;
  simulator.uninstall(app.token);
  await expect(hamlet.client.devices.testNotification()).rejects.toMatchObject({
    code: 'NO_ACTIVE_PUSH_DEVICE',
  });
  expect(await deviceOf(hamlet, app)).toMatchObject({ push_token_id: null });
  app.token = simulator.addDevice({ kind: 'apns' }).token;
  await app.start(chat);
  await isActive(hamlet, app);
  await hamlet.client.devices.testNotification();
  await expect.poll(() => shown()).toMatchObject([{ type: 'test', user_id: hamlet.user.id }]);
});

test('an app of another build, whose bouncer key is unknown, fails with the code and sends again at each start', async () => {
  await using stack = await startPushStack(clock);
  const { chat, simulator } = stack;
  const { hamlet } = chat.people;
  const { token, app_id } = simulator.addDevice({ kind: 'fcm' });
  const other = 'B6N8vBQgk8i3VdwbEOhstCY3StFqqFPtC9/AsrhtHHw=';
  const app = new MobileApp(hamlet, {
    ...clock,
    kind: 'fcm',
    token,
    app_id,
    bouncerPublicKey: other,
  });
  for (const starts of [1, 2]) {
    await app.start(chat);
    await expect
      .poll(() => deviceOf(hamlet, app))
      .toMatchObject({ push_registration_error_code: 'INVALID_BOUNCER_PUBLIC_KEY' });
    expect(app.registrations).toHaveLength(starts);
  }
});

test('a server whose level is lowered gets the calls without encryption, and encrypts again when it is raised', async () => {
  await using stack = await startPushStack(clock);
  const { chat } = stack;
  const { hamlet } = chat.people;
  const { app } = installApp(stack, hamlet, 'fcm');
  await app.start(chat);
  await isActive(hamlet, app);
  const { deviceId, keyIds } = app;
  const config = chat.server.app.config as { publicFeatureLevel: number };
  const level = config.publicFeatureLevel;
  config.publicFeatureLevel = 420;
  await app.start(chat);
  expect(app.legacyCalls).toEqual([{ route: 'POST /users/me/android_gcm_reg_id', status: 200 }]);
  expect(app.keyIds).toEqual([]);
  config.publicFeatureLevel = level;
  await app.start(chat);
  await isActive(hamlet, app);
  expect(app.deviceId).toBe(deviceId);
  expect(app.keyIds).not.toEqual(keyIds);
  expect(await deviceOf(hamlet, app)).toMatchObject({ push_key_id: app.keyIds[0] });
});

test('while keys and tokens change under load, every message is read once', async () => {
  await using stack = await startPushStack(clock);
  const { chat, simulator } = stack;
  const { hamlet, cordelia } = chat.people;
  const installed = [installApp(stack, hamlet, 'fcm'), installApp(stack, hamlet, 'apns')];
  const tokens = installed.map(({ app }) => [app.token]);
  for (const { app } of installed) {
    await app.start(chat);
    await isActive(hamlet, app);
  }
  const ids: number[] = [];
  let isDone = false;
  const sending = (async () => {
    for (let at = 0; at < 60; at++) ids.push(await say(cordelia, hamlet, `message ${at}`));
    isDone = true;
  })();
  for (let turn = 0; !isDone; turn++) {
    const at = turn % 2;
    const one = installed[at];
    if (!one) break;
    if (turn % 4 < 2) one.app.makeKey();
    else {
      one.app.token = simulator.addDevice({ kind: at === 0 ? 'fcm' : 'apns' }).token;
      tokens[at]?.push(one.app.token);
    }
    await one.app.start(chat);
    await isActive(hamlet, one.app);
  }
  await sending;
  for (const [at, { shown }] of installed.entries()) {
    const read = () => shown(tokens[at]).map((payload) => payload?.['message_id'] as number);
    await expect.poll(() => read().length).toBe(ids.length);
    expect(read().toSorted((a, b) => a - b)).toEqual(ids);
  }
});
