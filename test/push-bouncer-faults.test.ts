import { expect, test } from 'vitest';

import { errorCodeOf } from './support/api-error.ts';
import { expectEventsMatchState } from './support/expect-events-match-state.ts';
import {
  activatePhones,
  canPush,
  newOrgKey,
  startPushStack,
  watchDevices,
} from './support/push-stack.ts';

test('registration waits while the bouncer is down, and a test notification fails', async () => {
  await using stack = await startPushStack({ isBouncerUp: false });
  const { hamlet } = stack.chat.people;
  const devices = await watchDevices(hamlet);
  const phone = stack.newPhone('fcm');
  await hamlet.client.devices.registerPush(phone.registration());
  await expect.poll(() => stack.chat.logged()).toContain('could not be registered yet');
  expect(await devices.pending()).toEqual([]);
  await stack.startBouncer();
  expect(await devices.next()).toMatchObject({ status: 'active' });

  await stack.stopBouncer();
  const { testNotification } = hamlet.client.devices;
  expect(await errorCodeOf(testNotification())).toBe('FAILED_TO_CONNECT_BOUNCER');
  await stack.startBouncer();
  await testNotification();
  expect(phone.received()).toHaveLength(1);
});

test('registration waits while the bouncer has no database, and a test notification fails', async () => {
  await using stack = await startPushStack();
  const { hamlet } = stack.chat.people;
  await activatePhones(hamlet, stack.newPhone('fcm'));
  const devices = await watchDevices(hamlet);
  const rename = (from: 'device' | 'device_gone', to: string) =>
    stack.tables.schema.alterTable(from).renameTo(to).execute();
  await rename('device', 'device_gone');
  const { testNotification, registerPush } = hamlet.client.devices;
  expect(await errorCodeOf(testNotification())).toBe('INTERNAL_SERVER_ERROR_ON_BOUNCER');
  await registerPush(stack.newPhone('apns').registration());
  await expect.poll(() => stack.chat.logged()).toContain('could not be registered yet');
  await rename('device_gone', 'device');
  expect(await devices.next()).toMatchObject({ status: 'active' });
});

test('a wrong key of the server is logged, and devices stay registered', async () => {
  await using stack = await startPushStack();
  const { hamlet } = stack.chat.people;
  await activatePhones(hamlet, stack.newPhone('fcm'));
  const devices = await watchDevices(hamlet);
  const [between, other] = [newOrgKey(), newOrgKey()];
  const rotate = (zulip_org_key: string, new_org_key: string) =>
    stack.bouncerClient().servers.register({
      zulip_org_id: stack.org.id,
      zulip_org_key,
      new_org_key,
      hostname: 'chat.test',
      contact_email: 'admin@chat.test',
    });
  await rotate(stack.org.key, between).then(() => rotate(between, other)); // Ends the first key.
  const { testNotification, registerPush } = hamlet.client.devices;
  expect(await errorCodeOf(testNotification())).toBe('ADMIN_ACTION_REQUIRED');
  await registerPush(stack.newPhone('fcm').registration());
  await expect.poll(() => stack.chat.logged()).toContain('INVALID_ZULIP_SERVER');
  expect(stack.chat.logged()).not.toContain(stack.org.key);
  expect(await devices.pending()).toEqual([]);
  await rotate(other, stack.org.key);
  expect(await devices.next()).toMatchObject({ status: 'active' });
});

test('the server announces a realm again that the bouncer does not know', async () => {
  await using stack = await startPushStack();
  const { hamlet } = stack.chat.people;
  const forget = async () => {
    await stack.tables.deleteFrom('device').execute();
    await stack.tables.deleteFrom('remote_realm').execute();
  };
  await activatePhones(hamlet, stack.newPhone('fcm'));
  await forget();
  await activatePhones(hamlet, stack.newPhone('fcm'));

  await forget();
  const { testNotification } = hamlet.client.devices;
  expect(await errorCodeOf(testNotification())).toBe('ADMIN_ACTION_REQUIRED');
  await expect.poll(() => canPush(hamlet)).toBe(true);
  expect(await stack.tables.selectFrom('remote_realm').selectAll().execute()).toHaveLength(1);
});

test('the initial state says whether the realm may push', async () => {
  await using stack = await startPushStack();
  const { hamlet } = stack.chat.people;
  await activatePhones(hamlet, stack.newPhone('fcm'));
  await stack.tables.updateTable('remote_realm').set({ can_push: false }).execute();
  const { testNotification } = hamlet.client.devices;
  expect(await errorCodeOf(testNotification())).toBe('ADMIN_ACTION_REQUIRED');
  expect(await canPush(hamlet)).toBe(false);
  await stack.tables.updateTable('remote_realm').set({ can_push: true }).execute();
  await testNotification();
  expect(await canPush(hamlet)).toBe(true);
});

test('a realm event tells users whether the realm may push', async () => {
  await using stack = await startPushStack();
  const { hamlet, cordelia } = stack.chat.people;
  await activatePhones(hamlet, stack.newPhone('fcm'));
  const { testNotification } = hamlet.client.devices;
  const follow = async (can_push: boolean) => {
    const seen = await expectEventsMatchState(stack.chat, [hamlet, cordelia], async () => {
      await stack.tables.updateTable('remote_realm').set({ can_push }).execute();
      await testNotification().catch(() => undefined);
    });
    return seen.map((events) => events.map(({ id: _id, ...event }) => event));
  };
  const event = { type: 'realm', op: 'update', property: 'push_notifications_enabled' };
  const off = { ...event, value: false };
  expect(await follow(false)).toEqual([[off], [off]]);
  expect(await follow(false)).toEqual([[], []]);
  const on = { ...event, value: true };
  expect(await follow(true)).toEqual([[on], [on]]);
});

test('the user of a phone that belongs to another project is told, and the phone registers again', async () => {
  await using stack = await startPushStack();
  const { hamlet } = stack.chat.people;
  const { testNotification, registerPush } = hamlet.client.devices;
  const [phone, other] = [stack.newPhone('fcm', 7n), stack.newPhone('fcm', 8n)];
  await activatePhones(hamlet, phone, other);
  await testNotification({ push_account_id: 8n });
  const fault = { status: 403, reason: 'SENDER_ID_MISMATCH' };
  stack.simulator.faults.add({ provider: 'fcm', match: { token: phone.token }, fault });
  const devices = await watchDevices(hamlet);
  await testNotification();
  expect(await devices.next()).toMatchObject({
    push_account_id: '7',
    status: 'failed',
    error_code: 'REQUEST_EXPIRED',
    error_message: expect.stringContaining('register again'),
  });
  expect(await errorCodeOf(testNotification({ push_account_id: 7n }))).toBe(
    'NO_ACTIVE_PUSH_DEVICE',
  );
  expect(other.received()).toHaveLength(2);
  stack.simulator.faults.clear();
  await registerPush(phone.registration());
  expect(await devices.next()).toMatchObject({ push_account_id: '7', status: 'active' });
  await testNotification({ push_account_id: 7n });
  expect(phone.received()).toHaveLength(1);
});
