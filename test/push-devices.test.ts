import { createClient } from '@bellhop/client';
import { parseJson, type PushPayload } from '@bellhop/protocol';
import { sealing } from '@bellhop/push-crypto';
import { expect, test } from 'vitest';

import { errorCodeOf } from './support/api-error.ts';
import { expectEventsMatchState } from './support/expect-events-match-state.ts';
import {
  activatePhones,
  canPush,
  type Phone,
  startPushStack,
  watchDevices,
} from './support/push-stack.ts';

test('an Android phone and an iPhone register and receive notifications encrypted for them', async () => {
  await using stack = await startPushStack();
  const { hamlet, cordelia } = stack.chat.people;
  const devices = await watchDevices(hamlet);
  const others = await watchDevices(cordelia);
  const phones = [
    stack.newPhone('fcm', -(2n ** 63n)),
    stack.newPhone('apns', 2n ** 53n + 1n),
  ] as const;
  for (const phone of phones) {
    await hamlet.client.devices.registerPush(phone.registration());
    expect(await devices.next()).toEqual({
      id: expect.any(Number),
      type: 'push_device',
      push_account_id: String(phone.push_account_id),
      status: 'active',
    });
  }
  expect(await others.pending()).toEqual([]);

  await hamlet.client.devices.testNotification();
  const expected: PushPayload = {
    type: 'test',
    realm_url: 'http://chat.test',
    realm_name: 'Test',
    user_id: hamlet.user.id,
    time: expect.any(Number) as number,
  };
  const [android, iphone] = phones.map((phone) => phone.received());
  expect(android).toMatchObject([
    {
      payload: expected,
      push_account_id: '-9223372036854775808',
      notification: { kind: 'fcm', priority: 'high', collapse_key: null },
    },
  ]);
  expect(iphone).toMatchObject([
    { payload: expected, notification: { kind: 'apns', push_type: 'alert', priority: 10 } },
  ]);
  const [apns] = iphone ?? [];
  if (apns?.notification.kind !== 'apns') throw new Error('no APNs notification');
  expect(parseJson(apns.notification.body)).toEqual({
    push_account_id: 2n ** 53n + 1n,
    encrypted_data: apns.notification.payload['encrypted_data'],
    aps: { 'mutable-content': 1, alert: { title: 'New notification' } },
  });

  await hamlet.client.devices.testNotification({ push_account_id: phones[1].push_account_id });
  expect(phones.map((phone) => phone.received().length)).toEqual([1, 2]);
  expect(await canPush(hamlet)).toBe(true);
});

test('a repeated registration changes nothing unless the first one failed', async () => {
  await using stack = await startPushStack();
  const { hamlet } = stack.chat.people;
  const devices = await watchDevices(hamlet);
  const phone = stack.newPhone('fcm');
  const register = (changes: object = {}) =>
    hamlet.client.devices.registerPush({ ...phone.registration(), ...changes });
  const failed = (error_code: string) => ({ status: 'failed', error_code });

  await register({ bouncer_public_key: sealing.generateKeyPair().publicKey });
  expect(await devices.next()).toMatchObject(failed('INVALID_BOUNCER_PUBLIC_KEY'));
  const day = 86_400;
  const timestamp = Math.floor(Date.now() / 1000) - day - 60;
  await register({ encrypted_push_registration: phone.sealed({ timestamp }) });
  expect(await devices.next()).toMatchObject(failed('REQUEST_EXPIRED'));
  await register({ encrypted_push_registration: 'bm90IHNlYWxlZA==' });
  expect(await devices.next()).toMatchObject(failed('BAD_REQUEST'));
  await register();
  expect(await devices.next()).toMatchObject({ status: 'active' });

  await register({ encrypted_push_registration: 'bm90IHNlYWxlZA==' });
  await hamlet.client.devices.testNotification();
  expect(await devices.pending()).toEqual([]);
  expect(phone.received()).toHaveLength(1);
});

test('a phone without the app ends with an event, and a test notification fails when none is left', async () => {
  await using stack = await startPushStack();
  const { hamlet } = stack.chat.people;
  const [kept, gone] = [stack.newPhone('fcm'), stack.newPhone('apns')];
  await activatePhones(hamlet, kept, gone);
  const devices = await watchDevices(hamlet);
  await hamlet.client.devices.testNotification();
  stack.simulator.uninstall(gone.token);
  await hamlet.client.devices.testNotification();
  expect(kept.received()).toHaveLength(2);
  const ended = ({ push_account_id }: Phone) => ({
    push_account_id: String(push_account_id),
    status: 'failed',
    error_code: 'REQUEST_EXPIRED',
  });
  expect(await devices.next()).toMatchObject(ended(gone));

  stack.simulator.uninstall(kept.token);
  const { testNotification, registerPush } = hamlet.client.devices;
  expect(await errorCodeOf(testNotification())).toBe('NO_ACTIVE_PUSH_DEVICE');
  expect(await devices.next()).toMatchObject(ended(kept));
  expect(await errorCodeOf(testNotification())).toBe('NO_ACTIVE_PUSH_DEVICE');

  const again = stack.newPhone('fcm', kept.push_account_id);
  await registerPush(again.registration());
  expect(await devices.next()).toMatchObject({ status: 'active' });
  await testNotification();
  expect(again.received()).toHaveLength(1);
});

test('a phone that registers with a new key gets each notification once', async () => {
  await using stack = await startPushStack();
  const { hamlet, cordelia } = stack.chat.people;
  const phone = stack.newPhone('fcm');
  await activatePhones(hamlet, phone);
  const devices = await watchDevices(hamlet);
  const rotated = stack.newPhone('fcm', undefined, phone.simulated);
  await hamlet.client.devices.registerPush(rotated.registration());
  const push_account_id = String(rotated.push_account_id);
  expect(await devices.next()).toMatchObject({ push_account_id, status: 'active' });
  expect(await devices.next()).toMatchObject({
    push_account_id: String(phone.push_account_id),
    status: 'failed',
    error_code: 'REQUEST_EXPIRED',
  });
  await hamlet.client.devices.testNotification();
  expect(stack.simulator.devices.received(phone.token)).toHaveLength(1);

  const others = await watchDevices(cordelia);
  const shared = stack.newPhone('fcm', undefined, phone.simulated);
  await cordelia.client.devices.registerPush(shared.registration());
  expect(await others.next()).toMatchObject({ status: 'active' });
  expect(await devices.pending()).toEqual([]);
});

test('a phone that unregisters gets no more notifications, and may register again', async () => {
  await using stack = await startPushStack();
  const { hamlet } = stack.chat.people;
  const phone = stack.newPhone('fcm');
  await activatePhones(hamlet, phone);
  const devices = await watchDevices(hamlet);
  const { push_account_id } = phone;
  const { unregisterPush, testNotification } = hamlet.client.devices;
  await unregisterPush({ push_account_id });
  expect(await devices.next()).toMatchObject({ status: 'failed', error_code: 'REQUEST_EXPIRED' });
  expect(await errorCodeOf(testNotification())).toBe('NO_ACTIVE_PUSH_DEVICE');
  expect(await errorCodeOf(unregisterPush({ push_account_id }))).toBe('NO_ACTIVE_PUSH_DEVICE');
  await activatePhones(hamlet, phone);
  await testNotification();
  expect(phone.received()).toHaveLength(1);
});

test('the sealed registration of another account is refused', async () => {
  await using stack = await startPushStack();
  const { hamlet, cordelia } = stack.chat.people;
  const devices = await watchDevices(hamlet);
  const others = await watchDevices(cordelia);
  const registration = stack.newPhone('fcm').registration();
  await hamlet.client.devices.registerPush(registration);
  expect(await devices.next()).toMatchObject({ status: 'active' });
  await cordelia.client.devices.registerPush(registration);
  expect(await others.next()).toMatchObject({ status: 'failed', error_code: 'BAD_REQUEST' });
  await stack.chat.server.app.db.kysely.deleteFrom('push_device').execute();
  await cordelia.client.devices.registerPush({ ...registration, push_account_id: 5n });
  expect(await others.next()).toMatchObject({ status: 'failed', error_code: 'BAD_REQUEST' });
});

test('a box that was refused for one account is judged anew for another', async () => {
  await using stack = await startPushStack();
  const { hamlet } = stack.chat.people;
  const devices = await watchDevices(hamlet);
  const box = { ...stack.newPhone('fcm').registration(), encrypted_push_registration: 'AAAA' };
  await hamlet.client.devices.registerPush(box);
  expect(await devices.next()).toMatchObject({ status: 'failed', error_code: 'BAD_REQUEST' });
  const bouncer_public_key = box.push_public_key;
  await hamlet.client.devices.registerPush({ ...box, push_account_id: 6n, bouncer_public_key });
  expect(await devices.next()).toMatchObject({
    status: 'failed',
    error_code: 'INVALID_BOUNCER_PUBLIC_KEY',
  });
});

test('a token of another kind than the phone told the server fails the registration', async () => {
  await using stack = await startPushStack();
  const { hamlet } = stack.chat.people;
  const devices = await watchDevices(hamlet);
  const registration = stack.newPhone('fcm').registration();
  await hamlet.client.devices.registerPush({ ...registration, token_kind: 'apns' });
  expect(await devices.next()).toMatchObject({ status: 'failed', error_code: 'BAD_REQUEST' });
});

test('the events of a phone that is uninstalled match the state of a new queue', async () => {
  await using stack = await startPushStack();
  const { hamlet } = stack.chat.people;
  const phones = [stack.newPhone('fcm'), stack.newPhone('apns')];
  await activatePhones(hamlet, ...phones);
  await hamlet.client.devices.testNotification();
  await expectEventsMatchState(stack.chat, [hamlet], async () => {
    stack.simulator.uninstall(phones[0]?.token ?? '');
    await hamlet.client.devices.testNotification();
  });
});

test('a test notification reaches no device of another user and no pending device', async () => {
  await using stack = await startPushStack();
  const { hamlet, cordelia } = stack.chat.people;
  const phone = stack.newPhone('fcm');
  await activatePhones(hamlet, phone);
  const { testNotification } = cordelia.client.devices;
  expect(await errorCodeOf(testNotification())).toBe('NO_ACTIVE_PUSH_DEVICE');
  const { push_account_id } = phone;
  expect(await errorCodeOf(testNotification({ push_account_id }))).toBe('NO_ACTIVE_PUSH_DEVICE');
  await stack.stopBouncer();
  await cordelia.client.devices.registerPush(stack.newPhone('fcm').registration());
  expect(await errorCodeOf(testNotification())).toBe('NO_ACTIVE_PUSH_DEVICE');
});

test('one node registers devices, and another sends their events and notifications', async () => {
  await using stack = await startPushStack();
  const second = await stack.chat.anotherNode();
  const { hamlet } = stack.chat.people;
  const { email, api_key } = hamlet;
  const there = { client: createClient({ url: second.url, email, apiKey: api_key }) };
  const devices = await watchDevices(there);
  const phones = Array.from({ length: 6 }, () => stack.newPhone('fcm'));
  await Promise.all(
    phones.map((phone) => hamlet.client.devices.registerPush(phone.registration())),
  );
  const active = new Set<unknown>();
  for (const _phone of phones) {
    const event = await devices.next();
    if (event.type === 'push_device' && event.status === 'active')
      active.add(event.push_account_id);
  }
  expect(active).toEqual(new Set(phones.map((phone) => String(phone.push_account_id))));
  await there.client.devices.testNotification();
  expect(phones.map((phone) => phone.received().length)).toEqual([1, 1, 1, 1, 1, 1]);
});

test('a registration is completed after its node stopped', async () => {
  await using stack = await startPushStack({ isBouncerUp: false });
  const second = await stack.chat.anotherNode();
  const { hamlet } = stack.chat.people;
  const { email, api_key } = hamlet;
  const client = createClient({ url: second.url, email, apiKey: api_key });
  const devices = await watchDevices(hamlet);
  await client.devices.registerPush(stack.newPhone('apns').registration());
  await second.server.stop();
  await stack.startBouncer();
  expect(await devices.next()).toMatchObject({ status: 'active' });
});

test('concurrent calls with the same registration create one device', async () => {
  await using stack = await startPushStack();
  const { hamlet } = stack.chat.people;
  const devices = await watchDevices(hamlet);
  const phone = stack.newPhone('fcm');
  const fields = phone.registration();
  await Promise.all(Array.from({ length: 8 }, () => hamlet.client.devices.registerPush(fields)));
  expect(await devices.next()).toMatchObject({ status: 'active' });
  await hamlet.client.devices.testNotification();
  expect(phone.received()).toHaveLength(1);
  expect(await devices.pending()).toEqual([]);
});
