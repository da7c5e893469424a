import { createHash } from 'node:crypto';

import type {
  AskedPushRequests,
  AskedTokenRequests,
  PushPayload,
  TokenKind,
} from '@bellhop/protocol';

import type { ActiveDevice } from './active-devices.ts';

/** An item of `push_requests`. */
export type BouncerRequest = AskedPushRequests[TokenKind] | AskedTokenRequests[TokenKind];

/**
 * Seconds for which a provider keeps a notification for a phone that is offline. A removal is sent after
 * its message and kept as long: it outlives the message.
 */
const KEPT_SECONDS = { message: 604_800, remove: 604_800, test: 3_600 } as const;

interface RequestParts {
  readonly device: ActiveDevice;
  /** The key of the phone that `encrypted_data` is for, as text. */
  readonly key: string;
  readonly payload: PushPayload;
  readonly encrypted_data: string;
  /** UNIX time in seconds. */
  readonly now: number;
}

/**
 * The request for one device, with the options of its provider. The options are equal for all
 * messages, so that they do not distinguish direct messages and mentions from others.
 */
export const requestFor = (kind: TokenKind, parts: RequestParts): BouncerRequest =>
  makers[kind](parts);

const makers: {
  [K in TokenKind]: (parts: RequestParts) => AskedPushRequests[K] | AskedTokenRequests[K];
} = {
  // Without a collapse key: Google delays notifications that have one, and keeps four of them.
  fcm: (parts) => ({
    ...encrypted(parts),
    fcm_priority: parts.payload.type === 'remove' ? 'normal' : 'high',
    fcm_ttl: KEPT_SECONDS[parts.payload.type],
  }),

  apns(parts) {
    const { device, payload, now } = parts;
    return {
      ...encrypted(parts, { aps: apsOf[device.form](payload) }),
      http_headers:
        payload.type === 'remove'
          ? // Apple keeps one notification for each app: a removal would replace a message that waits.
            { apns_priority: 5, apns_push_type: 'background', apns_expiration: 0 }
          : {
              apns_priority: 10,
              apns_push_type: 'alert',
              apns_expiration: now + KEPT_SECONDS[payload.type],
              ...named('apns_collapse_id', parts),
            },
    };
  },

  webpush: (parts) => ({
    ...encrypted(parts),
    webpush_headers: {
      ttl: KEPT_SECONDS[parts.payload.type],
      urgency: parts.payload.type === 'remove' ? 'normal' : 'high',
      ...named('topic', parts),
    },
  }),
};

const encrypted = <More extends object>(
  { device, encrypted_data }: RequestParts,
  more = {} as More,
) =>
  device.form === 'token'
    ? {
        token_id: device.token_id,
        payload: { push_key_id: device.push_key_id, encrypted_data, ...more },
      }
    : {
        device_id: device.bouncer_device_id,
        payload: { push_account_id: device.push_account_id, encrypted_data, ...more },
      };

/** iOS shows the alert only if the app cannot replace it with the decrypted text. */
const alert = { title: 'New notification' };
const apsOf = {
  account: () => ({ 'mutable-content': 1, alert }),
  token: ({ type }: PushPayload) =>
    type === 'remove'
      ? { 'mutable-content': 1 }
      : { 'mutable-content': 1, alert, sound: 'default' },
};

/**
 * The name of a message on one device: a repeated push replaces the first. Neither bouncer nor
 * provider can see from it that two phones got the same message, because they do not know the
 * phone's key.
 */
function named<Name extends string>(
  option: Name,
  { key, payload }: RequestParts,
): Partial<Record<Name, string>> {
  if (payload.type !== 'message') return {};
  const hash = createHash('sha256').update(`${key} ${payload.message_id}`);
  return { [option]: hash.digest('base64url').slice(0, 24) } as Record<Name, string>;
}
