import { randomBytes } from 'node:crypto';

import { secretboxCipher } from '@bellhop/push-crypto';

import type { ContractFixture, ContractStage } from '../../contract.fixture.ts';
import { hostProofToken } from '../../model/devices/host-proof.ts';
import type { TestChat } from '../../test-chat.fixture.ts';
import { addClientDevice, addDevice } from './add-device.fixture.ts';

const key = `${'A'.repeat(43)}=`;
const push = {
  token_kind: 'fcm' as const,
  push_account_id: 7n,
  push_public_key: key,
  bouncer_public_key: key,
  encrypted_push_registration: key,
};

const pushKey = () => ({ push_key_id: 8, push_key: secretboxCipher.createKey().push_key });
const newBox = () => randomBytes(64).toString('base64');

/** Adds an active device for Cordelia and requests a test notification. */
async function requestTestNotification({ chat }: ContractStage): Promise<unknown> {
  await addDevice(chat, chat.people.cordelia);
  return chat.people.cordelia.client.devices.testNotification();
}
const readBouncerTraces = ({ people }: TestChat) =>
  people.iago.client.devices.bouncerTraces({ cipher_ids: ['0123456789abcdef'] });
const errorBody = (code: string) => ({ result: 'error', msg: 'x', code });

export const fixture: ContractFixture = {
  samples: {
    'GET /mobile_push/traces/bouncer': () => ({ cipher_ids: '["0123456789abcdef"]' }),
    'POST /mobile_push/register': () => ({
      ...push,
      push_account_id: '7',
      encrypted_push_registration: newBox(),
    }),
    'POST /remove_client_device': async (chat, caller) => ({
      device_id: String(await addClientDevice(chat, caller)),
    }),
    'POST /mobile_push/unregister': async (chat, caller) => {
      await addDevice(chat, caller);
      return { push_account_id: '7' };
    },
    'GET /zulip-services/verify/{access_token}': ({ server: { app } }) => ({
      access_token: hostProofToken(app.secrets, 'secret', app.now()),
    }),
  },
  declared: {
    'GET /zulip-services/verify/{access_token} NOT_FOUND': ({ chat }) =>
      chat.people.hamlet.client.devices.hostProof({ access_token: 'guess' }),
    'POST /mobile_push/register PUSH_SERVICE_NOT_CONFIGURED': ({ withoutBouncer }) =>
      withoutBouncer.people.hamlet.client.devices.registerPush(push),
    'POST /register_client_device device': ({ chat }) =>
      chat.people.iago.client.devices.registerClientDevice(),
    'POST /remove_client_device device': async ({ chat }) => {
      const device_id = await addClientDevice(chat, chat.people.iago);
      await chat.people.iago.client.devices.removeClientDevice({ device_id });
    },
    'POST /mobile_push/register device': async ({ chat }) => {
      const device_id = await addClientDevice(chat, chat.people.iago);
      await chat.people.iago.client.devices.registerPush({ device_id, ...pushKey() });
    },
    'POST /mobile_push/unregister push_device': async ({ chat }) => {
      const person = await chat.addPerson('unregistering');
      await addDevice(chat, person);
      await person.client.devices.unregisterPush({ push_account_id: 7n });
    },
    'POST /mobile_push/unregister NO_ACTIVE_PUSH_DEVICE': ({ chat }) =>
      chat.people.iago.client.devices.unregisterPush({ push_account_id: 8n }),
    'POST /mobile_push/e2ee/test_notification PUSH_SERVICE_NOT_CONFIGURED': ({ withoutBouncer }) =>
      withoutBouncer.people.hamlet.client.devices.testNotification(),
    'POST /mobile_push/e2ee/test_notification NO_ACTIVE_PUSH_DEVICE': ({ chat }) =>
      chat.people.hamlet.client.devices.testNotification(),
    'POST /mobile_push/e2ee/test_notification NO_ACTIVE_PUSH_DEVICE push_device device push_trace realm':
      async (stage) => {
        // Traces are sent to those who watch them.
        await stage.chat.people.cordelia.client.queues.register({
          client_capabilities: { console_events: true },
        });
        stage.bouncer.answer(200, {
          result: 'success',
          msg: '',
          apple_successfully_sent_count: 0,
          android_successfully_sent_count: 0,
          delete_device_ids: [stage.chat.people.cordelia.user.id],
          delete_token_ids: ['AAAAAAAAAAE='],
          realm_push_status: { can_push: true, expected_end_timestamp: 4_000_000_000 },
        });
        await addClientDevice(stage.chat, stage.chat.people.cordelia);
        return requestTestNotification(stage);
      },
    'POST /mobile_push/e2ee/test_notification ADMIN_ACTION_REQUIRED': (stage) => {
      stage.bouncer.answer(403, errorBody('MISSING_REMOTE_REALM'));
      return requestTestNotification(stage);
    },
    'POST /mobile_push/e2ee/test_notification INTERNAL_SERVER_ERROR_ON_BOUNCER': (stage) => {
      stage.bouncer.answer(500, errorBody('INTERNAL_ERROR'));
      return requestTestNotification(stage);
    },
    'GET /mobile_push/traces/bouncer PUSH_SERVICE_NOT_CONFIGURED': ({ withoutBouncer }) =>
      readBouncerTraces(withoutBouncer),
    'GET /mobile_push/traces/bouncer ADMIN_ACTION_REQUIRED': ({ chat, bouncer }) => {
      bouncer.answer(403, errorBody('INVALID_ZULIP_SERVER'));
      return readBouncerTraces(chat);
    },
    'GET /mobile_push/traces/bouncer INTERNAL_SERVER_ERROR_ON_BOUNCER': ({ chat, bouncer }) => {
      bouncer.answer(500, errorBody('INTERNAL_ERROR'));
      return readBouncerTraces(chat);
    },
    'GET /mobile_push/traces/bouncer FAILED_TO_CONNECT_BOUNCER': async ({ chat, bouncer }) => {
      await bouncer.stop();
      return readBouncerTraces(chat);
    },
    'POST /mobile_push/e2ee/test_notification FAILED_TO_CONNECT_BOUNCER': async (stage) => {
      await stage.bouncer.stop();
      return requestTestNotification(stage);
    },
  },
  changes: {
    'a phone of level 468 that logs in, registers and logs out': async (chat) => {
      const { devices } = chat.people.hamlet.client;
      const { device_id } = await devices.registerClientDevice();
      const token = {
        token_kind: 'fcm',
        token_id: 'CABBxC4BRCg=',
        bouncer_public_key: key,
        encrypted_push_registration: newBox(),
      } as const;
      // Without a bouncer nothing is registered.
      await devices.registerPush({ device_id, ...pushKey(), ...token }).catch(() => undefined);
      await devices.removeClientDevice({ device_id });
    },
    'a phone that unregisters': async (chat) => {
      const { hamlet } = chat.people;
      await addDevice(chat, hamlet);
      await hamlet.client.devices.unregisterPush({ push_account_id: 7n });
    },
  },
};
