import { randomBytes } from 'node:crypto';

import type { ContractFixture, ContractStage } from '../../contract.fixture.ts';
import { hostProofToken } from '../../model/devices/host-proof.ts';
import type { TestChat } from '../../test-chat.fixture.ts';
import { addDevice } from './add-device.fixture.ts';

const key = `${'A'.repeat(43)}=`;
const push = {
  token_kind: 'fcm' as const,
  push_account_id: 7n,
  push_public_key: key,
  bouncer_public_key: key,
  encrypted_push_registration: key,
};

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
    'POST /mobile_push/e2ee/test_notification NO_ACTIVE_PUSH_DEVICE push_device push_trace realm':
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
          realm_push_status: { can_push: true, expected_end_timestamp: 4_000_000_000 },
        });
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
    'a phone that unregisters': async (chat) => {
      const { hamlet } = chat.people;
      await addDevice(chat, hamlet);
      await hamlet.client.devices.unregisterPush({ push_account_id: 7n });
    },
  },
};
