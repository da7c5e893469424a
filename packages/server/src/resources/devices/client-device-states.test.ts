import type { Api, AskOf, ClientDevice } from '@bellhop/protocol';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { deactivateRealm, reactivateRealm } from '../realms/deactivate-realm.ts';
import {
  accepted,
  BOTH,
  type ClientDevices,
  type Device,
  K1,
  K2,
  startClientDevices,
  type StateName,
  STATES,
  T1,
  T2,
  tokenHalf,
} from './client-devices.fixture.ts';
import { failure, type ScriptedResponse } from './scripted-bouncer.fixture.ts';

type Registration = Omit<AskOf<Api['devices']['registerPush']>, 'device_id'>;

let now = 1_800_000_000;
let phones: ClientDevices;
beforeAll(async () => {
  phones = await startClientDevices(() => now);
});
afterAll(() => phones[Symbol.asyncDispose]());
afterEach(() => phones.settle());

interface Transition {
  readonly from: StateName;
  readonly title: string;
  readonly act: (device: Device) => Promise<unknown>;
  /** The changes of its events, in their order. */
  readonly events: readonly Partial<ClientDevice>[];
  readonly after: Partial<ClientDevice>;
}
const T = { push_token_last_updated_timestamp: expect.any(Number) as number };
const started = (pending_push_token_id: string) => ({
  pending_push_token_id,
  ...T,
  push_registration_error_code: null,
});
const becomes = (push_token_id: string) => ({ push_token_id, pending_push_token_id: null });
const isK1 = { push_key_id: K1.push_key_id };
const isK2 = { push_key_id: K2.push_key_id };
const refusedBy = (code: ClientDevice['push_registration_error_code']) => ({
  push_registration_error_code: code,
});
/** The bouncer answers the waiting registration. */
const answer = (response: ScriptedResponse) => async () => {
  phones.answered(response);
  await phones.runJobs();
};
const send = (params: Registration) => (device: Device) =>
  phones.pendingAfter(() => device.register(params));
const only = (params: Registration) => (device: Device) => device.register(params);

const transitions: readonly Transition[] = [
  {
    from: 'empty',
    title: 'key and token',
    act: send(BOTH),
    events: [{ ...isK1, ...started(T1) }],
    after: { ...isK1, push_token_id: null, ...started(T1) },
  },
  {
    from: 'first',
    title: 'the bouncer accepts',
    act: answer(accepted),
    events: [becomes(T1)],
    after: { ...isK1, ...becomes(T1), push_registration_error_code: null },
  },
  ...(['INVALID_BOUNCER_PUBLIC_KEY', 'REQUEST_EXPIRED', 'BAD_REQUEST'] as const).map(
    (code): Transition => ({
      from: 'first',
      title: `the bouncer answers ${code}`,
      act: answer(failure(400, code)),
      events: [refusedBy(code)],
      after: { push_token_id: null, pending_push_token_id: T1, ...refusedBy(code) },
    }),
  ),
  {
    from: 'first',
    title: 'the bouncer refuses with another code',
    act: answer(failure(400, 'NOT_KNOWN_HERE')),
    events: [refusedBy('BAD_REQUEST')],
    after: refusedBy('BAD_REQUEST'),
  },
  {
    from: 'first',
    title: 'another key',
    act: only(K2),
    events: [isK2],
    after: { ...isK2, pending_push_token_id: T1 },
  },
  {
    from: 'first',
    title: 'a new box for the pending token',
    act: send(tokenHalf(T1)),
    events: [started(T1)],
    after: { ...isK1, pending_push_token_id: T1 },
  },
  { from: 'active', title: 'the same key', act: only(K1), events: [], after: isK1 },
  {
    from: 'active',
    title: 'another key',
    act: only(K2),
    events: [isK2],
    after: { ...isK2, ...becomes(T1) },
  },
  {
    from: 'active',
    title: 'the same token, which renews its time',
    act: send(tokenHalf(T1)),
    events: [T],
    after: { ...isK1, ...becomes(T1), push_registration_error_code: null },
  },
  {
    from: 'active',
    title: 'the same key and token',
    act: send({ ...K1, ...tokenHalf(T1) }),
    events: [T],
    after: { ...isK1, ...becomes(T1) },
  },
  {
    from: 'active',
    title: 'another key with the same token',
    act: send({ ...K2, ...tokenHalf(T1) }),
    events: [{ ...isK2, ...started(T1) }],
    after: { ...isK2, push_token_id: T1, pending_push_token_id: T1 },
  },
  {
    from: 'active',
    title: 'another token',
    act: send(tokenHalf(T2)),
    events: [started(T2)],
    after: { push_token_id: T1, pending_push_token_id: T2 },
  },
  {
    from: 'active',
    title: 'the token of another kind',
    act: send({ ...tokenHalf(T1), token_kind: 'apns' }),
    events: [started(T1)],
    after: { push_token_id: T1, pending_push_token_id: T1 },
  },
  {
    from: 'active',
    title: 'the bouncer calls the token dead',
    act: async ({ person }) => {
      phones.notified({ delete_token_ids: [T1] });
      await expect(person.client.devices.testNotification()).rejects.toMatchObject({
        code: 'NO_ACTIVE_PUSH_DEVICE',
      });
    },
    events: [{ push_token_id: null }],
    after: { ...isK1, push_token_id: null, pending_push_token_id: null },
  },
  {
    from: 'token rotation',
    title: 'the bouncer accepts',
    act: answer(accepted),
    events: [becomes(T2)],
    after: becomes(T2),
  },
  {
    from: 'token rotation',
    title: 'the bouncer refuses',
    act: answer(failure(400, 'REQUEST_EXPIRED')),
    events: [refusedBy('REQUEST_EXPIRED')],
    after: { push_token_id: T1, pending_push_token_id: T2, ...refusedBy('REQUEST_EXPIRED') },
  },
  {
    from: 'token rotation',
    title: 'the bouncer calls the token before dead',
    act: async ({ person }) => {
      phones.notified({ delete_token_ids: [T1] });
      await person.client.devices.testNotification().catch(() => undefined);
    },
    events: [{ push_token_id: null }],
    after: { push_token_id: null, pending_push_token_id: T2 },
  },
  {
    from: 'failed',
    title: 'the token again',
    act: send(tokenHalf(T1)),
    events: [started(T1)],
    after: { push_token_id: null, ...started(T1) },
  },
  {
    from: 'failed',
    title: 'another key, which mends nothing',
    act: only(K2),
    events: [isK2],
    after: { ...isK2, ...refusedBy('INVALID_BOUNCER_PUBLIC_KEY') },
  },
  {
    from: 'failed rotation',
    title: 'the token before',
    act: send(tokenHalf(T1)),
    events: [started(T1)],
    after: { push_token_id: T1, ...started(T1) },
  },
  {
    from: 'dead',
    title: 'the token again',
    act: send(tokenHalf(T1)),
    events: [started(T1)],
    after: { push_token_id: null, ...started(T1) },
  },
];

test.each(transitions)('$from, $title: the events lead to the state', async (transition) => {
  const device = await phones.newDevice();
  await phones.reach(transition.from, device);
  await device.events();
  now += 60;
  await transition.act(device);
  const { device_id } = device;
  expect(await device.events()).toEqual(
    transition.events.map((changes) => ({ type: 'device', op: 'update', device_id, ...changes })),
  );
  expect(await phones.stateOf(device)).toMatchObject(transition.after);
});

test.each(STATES)('a removed device (%s) leaves nothing', async (name) => {
  const device = await phones.newDevice();
  await phones.reach(name, device);
  await device.events();
  const { person, device_id } = device;
  await person.client.devices.removeClientDevice({ device_id });
  expect(await device.events()).toEqual([{ type: 'device', op: 'remove', device_id }]);
  expect(await phones.devicesOf(person)).toEqual({});
  await answer(accepted)();
  expect(await device.events()).toEqual([]);
  await expect(person.client.devices.testNotification()).rejects.toMatchObject({
    code: 'NO_ACTIVE_PUSH_DEVICE',
  });
});

// The app keeps its device_id as long as its API key is good, and never asks for another.
test.each(STATES)(
  'the device of a deactivated organization (%s) has its key and no token, and registers after the reactivation',
  async (name) => {
    const device = await phones.newDevice();
    await phones.reach(name, device);
    const { push_key_id } = (await phones.stateOf(device)) ?? {};
    const { db } = phones.chat.server.app;
    // In one transaction, so that no call meets REALM_DEACTIVATED.
    await db.transaction(async (tx) => {
      await deactivateRealm(tx, phones.chat.realm.id);
      await reactivateRealm(tx, phones.chat.realm.id);
    });
    const ended = {
      push_key_id,
      push_token_id: null,
      pending_push_token_id: null,
      push_registration_error_code: null,
    };
    expect(await phones.stateOf(device)).toMatchObject(ended);
    phones.answered(accepted);
    await phones.runJobs();
    expect(await phones.stateOf(device)).toMatchObject(ended);
    await device.register(push_key_id === K1.push_key_id ? tokenHalf(T1) : BOTH);
    await phones.runJobs();
    expect(await phones.stateOf(device)).toMatchObject({ ...isK1, ...becomes(T1) });
  },
);
