import { z } from 'zod';

import { Secret } from '../values/fields.ts';
import { endpoint } from '../wire/endpoint.ts';
import { RealmPushStatus } from './realm-push-status.ts';

const MAX_TOKEN_LENGTH = 4_096;
/** Tokens of one user that a request may list, for each provider. */
const MAX_TOKENS = 1_000;

const Token = Secret.min(1).max(MAX_TOKEN_LENGTH);
const device = {
  token: Token,
  token_kind: z.literal([1, 2]).meta({ description: '1: APNs, 2: FCM' }),
};
/** How chat servers name a user. Older ones send no `realm_uuid`. */
const user = {
  user_id: z.int().optional(),
  user_uuid: z.uuid().optional(),
  realm_uuid: z.uuid().optional(),
};

const noToken =
  'An operation of the protocol before encrypted notifications, which chat servers still call. This bouncer takes encrypted registrations only and has no such token.';

/** The operations of the protocol before encrypted notifications, relative to `/api/v1/remotes`. */
export const legacyPush = {
  registerToken: endpoint('POST /push/register', {
    summary: 'Register a device token without encryption',
    description: `${noToken} It refuses all with BAD_REQUEST; the chat server shows the message to the app.`,
    access: 'server',
    params: { ...device, ...user, ios_app_id: z.string().max(MAX_TOKEN_LENGTH).optional() },
  }),
  unregister: endpoint('POST /push/unregister', {
    summary: 'Delete a device token that was registered without encryption',
    description: `${noToken} Devices are deleted at DELETE /v1/realms/{realm_uuid}/devices/{device_id}.`,
    access: 'server',
    params: { ...device, ...user },
  }),
  unregisterAll: endpoint('POST /push/unregister/all', {
    summary: 'Delete all device tokens of a user that were registered without encryption',
    description: `${noToken} It succeeds.`,
    access: 'server',
    params: user,
  }),
  notifyTokens: endpoint('POST /push/notify', {
    summary: 'Send a notification without encryption to all device tokens of a user',
    description: `${noToken} It sends nothing, and names all tokens of the request as deleted, so that the chat server forgets them and sends it no more content. The content is neither stored nor logged.`,
    access: 'server',
    body: 'json',
    params: {
      ...user,
      android_devices: z.array(Token).max(MAX_TOKENS).default([]),
      apple_devices: z.array(Token).max(MAX_TOKENS).default([]),
    },
    result: {
      total_android_devices: z.int(),
      total_apple_devices: z.int(),
      deleted_devices: z.object({
        android_devices: z.array(z.string()),
        apple_devices: z.array(z.string()),
      }),
      realm: RealmPushStatus.nullable().meta({
        description: 'Null if the request names no realm that this chat server announced',
      }),
    },
  }),
  testToken: endpoint('POST /push/test_notification', {
    summary: 'Send a test notification without encryption',
    description: noToken,
    access: 'server',
    body: 'json',
    params: { ...device, ...user },
    errors: ['INVALID_REMOTE_PUSH_DEVICE_TOKEN'],
  }),
};
