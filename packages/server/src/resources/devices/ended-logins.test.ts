import { payloadCipher } from '@bellhop/push-crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { lock as lockRealm } from '../../model/realms/queries.ts';
import { lock } from '../../model/users/queries.ts';
import { runQueuedJobs } from '../../run-queued-jobs.fixture.ts';
import type { Person, TestChat } from '../../test-chat.fixture.ts';
import { waitingForLocks } from '../../waiting-for-locks.fixture.ts';
import { newEmailKey } from '../email-changes/new-email-key.fixture.ts';
import { newResetKey } from '../password-resets/new-reset-key.fixture.ts';
import { deactivateRealm, reactivateRealm } from '../realms/deactivate-realm.ts';
import { addClientDevice } from './add-device.fixture.ts';
import { clientDevicesOf } from './client-devices.ts';
import { endDevicesOfLogins } from './end-devices.ts';
import { pushDevicesOf } from './push-devices-of.ts';
import { enqueueRemovals } from './remove-from-bouncer.ts';
import { startScriptedBouncer, success } from './scripted-bouncer.fixture.ts';

const REGISTER = '/push/e2ee/register';
const PASSWORD = 'a long password';

let stack: Awaited<ReturnType<typeof startScriptedBouncer>>;
beforeAll(async () => {
  stack = await startScriptedBouncer();
});
afterAll(() => stack[Symbol.asyncDispose]());

const registration = () => ({
  token_kind: 'fcm' as const,
  push_account_id: 7n,
  push_public_key: payloadCipher.createKey().push_key,
  bouncer_public_key: 'the key of the bouncer',
  encrypted_push_registration: payloadCipher.createKey().push_key,
});
const devicesOf = ({ user }: Person) =>
  pushDevicesOf(stack.chat.server.app.db.kysely, user, { push_device_error_message: true });

let people = 0;
/** A person with a phone, and the path at which the bouncer is asked to remove it. */
async function personWithPhone() {
  const { chat, script } = stack;
  const deviceId = 1_000 + ++people;
  script[REGISTER] = success({ device_id: deviceId });
  const removal = `/v1/realms/${chat.realm.uuid}/devices/${deviceId}`;
  script[removal] = success();
  const person = await chat.addPerson(`phone${people}`, undefined, { password: PASSWORD });
  const ofToken = 100_000 + people;
  const tokenRemoval = `/v1/realms/${chat.realm.uuid}/devices/${ofToken}`;
  script[tokenRemoval] = success();
  await addClientDevice(chat, person, ofToken);
  await person.client.devices.registerPush(registration());
  await expect.poll(() => devicesOf(person)).toMatchObject({ 7: { status: 'active' } });
  return {
    person,
    /** How often the bouncer was asked to remove the phone, in each form that it has registered in. */
    removals: () => [removal, tokenRemoval].map((path) => stack.requestsTo(path).length),
  };
}

type Way = (chat: TestChat, person: Person) => Promise<unknown>;
const update =
  (fields: { new_email?: string; role?: 300 }): Way =>
  ({ people: { desdemona } }, { user }) =>
    desdemona.client.users.update({ user_id: user.id, ...fields });

/** Everything after which what a person logged in with does not work any more. */
const endingWays: Record<string, Way> = {
  'regenerates the API key': (_chat, { client }) => client.accounts.regenerateApiKey(),
  'confirms another address': async (chat, person) =>
    person.client.emailChanges.confirm({
      key: await newEmailKey(chat, person, 'confirmed@example.com'),
    }),
  'resets a forgotten password': async (chat, person) =>
    person.client.passwordResets.confirm({
      key: await newResetKey(chat, person.email),
      new_password: 'another long password',
    }),
  'gets another address from an owner': update({ new_email: 'given@example.com' }),
  'leaves the organization': (_chat, { client }) => client.users.deactivateSelf(),
  'is deactivated': ({ people: { iago } }, { user }) =>
    iago.client.users.deactivate({ user_id: user.id }),
};
/** The app on the phone stays logged in. */
const keepingWays: Record<string, Way> = {
  'changes the password': (_chat, { client }) =>
    client.settings.update({ old_password: PASSWORD, new_password: 'another long password' }),
  'gets another role': update({ role: 300 }),
};
const loginOf = async (person: Person) => (await stack.chat.ask(person, 'GET /users/me')).status;
const tokenDevices = async ({ user }: Person) =>
  Object.keys(
    await clientDevicesOf(stack.chat.server.app.db.kysely, user, {
      push_device_error_message: true,
    }),
  );
const statesOf = async (person: Person) =>
  Object.values(await devicesOf(person)).map(({ status }) => status);

test.each(Object.entries(endingWays))(
  'the phone of a person who %s gets no pushes, and the bouncer is told to remove it',
  async (_title, way) => {
    const { person, removals } = await personWithPhone();
    await way(stack.chat, person);
    expect(await loginOf(person)).toBe(401);
    expect(await statesOf(person)).not.toContain('active');
    await expect.poll(removals).toEqual([1, 1]);
    expect(await tokenDevices(person)).toEqual([]);
  },
);

test.each(Object.entries(keepingWays))(
  'the phone of a person who %s stays registered',
  async (_title, way) => {
    const { person, removals } = await personWithPhone();
    await way(stack.chat, person);
    expect(await loginOf(person)).toBe(200);
    expect([await statesOf(person), removals()]).toEqual([['active'], [0, 0]]);
    expect(await tokenDevices(person)).toHaveLength(1);
  },
);

test('a phone whose login has ended is failed with the reason, and registers again with the new key', async () => {
  const { chat, script } = stack;
  const { person } = await personWithPhone();
  const { api_key } = await person.client.accounts.regenerateApiKey();
  expect(await devicesOf(person)).toEqual({
    7: {
      status: 'failed',
      error_code: 'REQUEST_EXPIRED',
      error_message: expect.stringContaining('log in and register again'),
    },
  });
  const deviceId = 1_000 + ++people;
  script[REGISTER] = success({ device_id: deviceId });
  const answer = await chat.ask({ ...person, api_key }, 'POST /mobile_push/register', {
    ...registration(),
    push_account_id: '7',
  });
  expect(answer.status).toBe(200);
  await expect.poll(() => statesOf(person)).toEqual(['active']);
});

test.each([
  ['before the key changes', ['register', 'regenerate'], 200, ['failed']],
  ['while the key changes', ['regenerate', 'register'], 401, []],
] as const)(
  'a phone that registers with the former API key %s does not stay registered',
  async (_title, order, status, states) => {
    const { chat } = stack;
    const { app } = chat.server;
    const person = await chat.addPerson(`former${++people}`);
    const statuses: number[] = [];
    const calls = {
      register: async () => {
        const device = { ...registration(), push_account_id: '7' };
        statuses.push((await chat.ask(person, 'POST /mobile_push/register', device)).status);
      },
      regenerate: () => person.client.accounts.regenerateApiKey(),
    };
    const running: Promise<unknown>[] = [];
    await app.db.transaction(async (tx) => {
      await lockRealm(tx, chat.realm.id);
      for (const call of order) {
        running.push(calls[call]());
        await expect.poll(() => waitingForLocks(chat)).toBe(running.length);
      }
    });
    await Promise.all(running);
    expect(statuses).toEqual([status]);
    await expect.poll(() => statesOf(person)).toEqual(states);
  },
);

test('a device that the bouncer registers after its login has ended is removed from the bouncer', async () => {
  const { chat, script } = stack;
  const { app } = chat.server;
  const person = await chat.addPerson('late');
  const deviceId = 1_000 + ++people;
  const removal = `/v1/realms/${chat.realm.uuid}/devices/${deviceId}`;
  script[REGISTER] = success({ device_id: deviceId });
  await app.change(chat.realm, async (change) => {
    await lock(change.db, person.user);
    await person.client.devices.registerPush(registration());
    await expect.poll(() => waitingForLocks(chat)).toBe(1);
    await endDevicesOfLogins(change, person.user);
  });
  await expect.poll(() => stack.requestsTo(removal).length).toBe(1);
  expect(await statesOf(person)).toEqual(['failed']);
});

test('a device that has registered again is not removed from the bouncer', async () => {
  const { chat } = stack;
  const { person, removals } = await personWithPhone();
  const { app } = chat.server;
  const deviceIds = [1_000 + people, 100_000 + people];
  await app.db.transaction((tx) => enqueueRemovals(tx, chat.realm.id, deviceIds));
  await runQueuedJobs(chat, 'remove_from_bouncer');
  expect([await statesOf(person), removals()]).toEqual([['active'], [0, 0]]);
});

test('the phones of a deactivated realm are removed from the bouncer', async () => {
  const { chat } = stack;
  const { app } = chat.server;
  const phones = [await personWithPhone(), await personWithPhone()];
  await app.db.transaction((tx) => deactivateRealm(tx, chat.realm.id));
  await expect.poll(() => phones.flatMap(({ removals }) => removals())).toEqual([1, 1, 1, 1]);
  await app.db.transaction((tx) => reactivateRealm(tx, chat.realm.id));
  for (const { person } of phones) expect(await devicesOf(person)).toEqual({});
});
