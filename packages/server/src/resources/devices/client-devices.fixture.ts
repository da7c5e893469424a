import { applyEvent } from '@bellhop/client';
import type { Api, AskOf, QueuedEvent } from '@bellhop/protocol';
import { secretboxCipher, tokenId } from '@bellhop/push-crypto';
import { expect } from 'vitest';

import { runQueuedJobs } from '../../run-queued-jobs.fixture.ts';
import type { Person } from '../../test-chat.fixture.ts';
import { clientDevicesOf } from './client-devices.ts';
import {
  failure,
  type ScriptedResponse,
  startScriptedBouncer,
  success,
} from './scripted-bouncer.fixture.ts';

export const REGISTER = '/push/e2ee/register';
export const NOTIFY = '/push/e2ee/notify';
const LATER = failure(503, 'RATE_LIMIT_HIT', { 'retry-after': 600 });
type Registration = Omit<AskOf<Api['devices']['registerPush']>, 'device_id'>;

let count = 0;
const newKey = () => ({
  push_key_id: 3_000_000_000 + ++count,
  push_key: secretboxCipher.createKey().push_key,
});
/** What a phone sends of a token. */
export const tokenHalf = (token_id: string) => ({
  token_kind: 'fcm' as const,
  token_id,
  bouncer_public_key: 'the key of the bouncer',
  encrypted_push_registration: `box ${++count}`,
});
export const T1 = tokenId('token 1');
export const T2 = tokenId('token 2');
export const K1 = newKey();
export const K2 = newKey();
export const BOTH = { ...K1, ...tokenHalf(T1) };
export const accepted = success({ device_id: 5, same_token_device_ids: [] });

/** The answer of a public bouncer to notifications. */
export const sent = (answer: object = {}): ScriptedResponse =>
  success({
    apple_successfully_sent_count: 0,
    android_successfully_sent_count: 1,
    delete_token_ids: [],
    delete_device_ids: [],
    realm_push_status: { can_push: true, expected_end_timestamp: null },
    ...answer,
  });

/** A device of a person, and what their clients know of it. */
export interface Device {
  readonly person: Person;
  readonly device_id: number;
  readonly register: (params: Registration) => Promise<unknown>;
  /** The events since the last call; throws if they do not lead to the state of the server. */
  readonly events: () => Promise<QueuedEvent[]>;
}
/** An item of a notification that the bouncer has got. */
export interface SentItem {
  readonly token_id: string;
  readonly payload: { readonly push_key_id: number; readonly encrypted_data: string };
}
export type ClientDevices = Awaited<ReturnType<typeof startClientDevices>>;
export const STATES = [
  'empty',
  'first',
  'active',
  'token rotation',
  'failed',
  'failed rotation',
  'dead',
] as const;
export type StateName = (typeof STATES)[number];

/** A chat server with a scripted bouncer, and devices of level 468 on it. `now`: UNIX seconds. */
export async function startClientDevices(now: () => number) {
  const stack = await startScriptedBouncer({}, {}, { now });
  /** What the bouncer answers to registrations from now on. */
  const answered = (response: ScriptedResponse): void => {
    stack.script[REGISTER] = response;
  };
  /** What the bouncer answers to notifications from now on. */
  const notified = (answer: object = {}) => {
    stack.script[NOTIFY] = sent(answer);
  };

  const newPerson = () => stack.chat.addPerson(`mobile${++count}`);
  const devicesOf = ({ user }: Person, push_device_error_message = false) =>
    clientDevicesOf(stack.chat.server.app.db.kysely, user, { push_device_error_message });
  const stateOf = async ({
    person,
    device_id,
  }: {
    readonly person: Person;
    readonly device_id: number;
  }) => (await devicesOf(person))[String(device_id)];
  /** Runs what waits, without the pauses after failures. */
  const runJobs = () => runQueuedJobs(stack.chat, 'register_token_with_bouncer');

  /** Registers while the bouncer takes nothing. Resolves when it has been asked. */
  async function pendingAfter(register: () => Promise<unknown>): Promise<void> {
    answered(LATER);
    const before = stack.requestsTo(REGISTER).length;
    await register();
    await expect.poll(() => stack.requestsTo(REGISTER).length).toBeGreaterThan(before);
  }
  /** Adds a device of a new person, or another one of `of`. */
  async function newDevice(of?: Person): Promise<Device> {
    const person = of ?? (await newPerson());
    const asked = { event_types: ['device'], fetch_event_types: ['device'] };
    const registered = await person.client.queues.register(asked);
    const { device_id } = await person.client.devices.registerClientDevice();
    let state: object = { devices: registered.devices };
    let last = registered.last_event_id;
    const { queue_id } = registered;
    if (queue_id === null) throw new Error('No queue');
    const device = {
      person,
      device_id,
      register: (params: Registration) =>
        person.client.devices.registerPush({ device_id, ...params }),
      async events(): Promise<QueuedEvent[]> {
        const { events } = await person.client.queues.events({
          queue_id,
          last_event_id: last,
          dont_block: true,
        });
        for (const event of events as QueuedEvent[]) {
          last = event.id;
          state = applyEvent(state, event, { user_id: person.user.id });
        }
        expect(state).toEqual({ devices: await devicesOf(person) });
        return (events as QueuedEvent[]).map(({ id: _id, ...event }) => event as QueuedEvent);
      },
    };
    await device.events();
    return device;
  }
  /** The states of a device, each by how it comes about. */
  const states: Record<StateName, (device: Device) => Promise<unknown>> = {
    empty: async () => undefined,
    async first({ register }) {
      await pendingAfter(() => register(BOTH));
    },
    async active({ register }) {
      answered(accepted);
      await register(BOTH);
      await runJobs();
    },
    async 'token rotation'(device) {
      await states.active(device);
      await pendingAfter(() => device.register(tokenHalf(T2)));
    },
    async failed({ register }) {
      answered(failure(400, 'INVALID_BOUNCER_PUBLIC_KEY'));
      await register(BOTH);
      await runJobs();
    },
    async 'failed rotation'(device) {
      await states.active(device);
      answered(failure(400, 'REQUEST_EXPIRED'));
      await device.register(tokenHalf(T2));
      await runJobs();
    },
    async dead(device) {
      await states.active(device);
      notified({ delete_token_ids: [T1] });
      await device.person.client.devices.testNotification().catch(() => undefined);
    },
  };

  return {
    ...stack,
    answered,
    notified,
    newPerson,
    newDevice,
    devicesOf,
    stateOf,
    runJobs,
    pendingAfter,
    /** All items that the bouncer has got. */
    sentItems: () =>
      stack.requestsTo(NOTIFY).flatMap(({ fields }) => fields['push_requests'] as SentItem[]),
    /** Sends a message that is pushed to the person with the device. */
    sendTo: ({ person }: Pick<Device, 'person'>) =>
      stack.chat.people.cordelia.client.messages.send({
        type: 'direct',
        to: [person.user.id],
        content: 'on the way',
      }),
    /** Brings a device into a state. */
    reach: (name: StateName, device: Device) => states[name](device),
    /** Ends what waits, so that the jobs of a test do not meet the answers of the next. */
    async settle(): Promise<void> {
      answered(accepted);
      await runJobs();
    },
    [Symbol.asyncDispose]: () => stack[Symbol.asyncDispose](),
  };
}
