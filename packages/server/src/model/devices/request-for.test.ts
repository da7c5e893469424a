import type { AskedPushRequests, PushPayload, UserId } from '@bellhop/protocol';
import { expect, test } from 'vitest';

import type { ActiveDevice } from './active-devices.ts';
import { requestFor } from './request-for.ts';

const payload = {
  type: 'message',
  realm_url: 'https://chat.example.com',
  realm_name: 'Chat',
  user_id: 1,
  message_id: 7,
  sender_id: 2,
  sender_full_name: 'Ada',
  sender_avatar_url: 'https://chat.example.com/avatar/2',
  time: 1,
  content: 'hello',
  recipient_type: 'direct',
} as const;

const ofAccount = {
  form: 'account',
  id: 1,
  user_id: 1 as UserId,
  token_kind: 'webpush',
  bouncer_device_id: 1,
  push_account_id: 5n,
  push_public_key: 'key',
} as const satisfies ActiveDevice;
const ofToken = {
  form: 'token',
  id: 1,
  user_id: 1 as UserId,
  token_kind: 'apns',
  token_id: 'CABBxC4BRCg=',
  push_key_id: 3_735_928_559,
  push_key: Buffer.from('sealed'),
  registration: 1,
} as const satisfies ActiveDevice;
const parts = { device: ofAccount, key: 'key', payload, encrypted_data: 'x', now: 0 };

const topicOf = (message_id: number, key: string) => {
  const { webpush_headers } = requestFor('webpush', {
    ...parts,
    key,
    payload: { ...payload, message_id },
  }) as AskedPushRequests['webpush'];
  return webpush_headers.topic;
};

test('a message has one topic at each device, and messages, devices and keys have different topics', () => {
  expect(topicOf(7, 'key')).toBe(topicOf(7, 'key'));
  expect(new Set([topicOf(7, 'key'), topicOf(8, 'key'), topicOf(7, 'other')]).size).toBe(3);
});

test('a device is named as it has registered, and an iPhone of level 468 gets the aps that its app reads', () => {
  expect(requestFor('apns', parts)).toMatchObject({
    device_id: 1,
    payload: { push_account_id: 5n, encrypted_data: 'x' },
  });
  const { push_key_id } = ofToken;
  const remove: PushPayload = {
    realm_url: '',
    realm_name: '',
    user_id: 1,
    type: 'remove',
    message_ids: [7],
  };
  expect(requestFor('apns', { ...parts, device: ofToken })).toEqual({
    token_id: ofToken.token_id,
    http_headers: {
      apns_priority: 10,
      apns_push_type: 'alert',
      apns_expiration: 604_800,
      apns_collapse_id: expect.stringMatching(/^[\w-]{24}$/),
    },
    payload: {
      push_key_id,
      encrypted_data: 'x',
      aps: { 'mutable-content': 1, alert: { title: 'New notification' }, sound: 'default' },
    },
  });
  expect(requestFor('apns', { ...parts, device: ofToken, payload: remove })).toEqual({
    token_id: ofToken.token_id,
    http_headers: { apns_priority: 5, apns_push_type: 'background', apns_expiration: 0 },
    payload: { push_key_id, encrypted_data: 'x', aps: { 'mutable-content': 1 } },
  });
  expect(requestFor('fcm', { ...parts, device: ofToken })).toEqual({
    token_id: ofToken.token_id,
    fcm_priority: 'high',
    fcm_ttl: 604_800,
    payload: { push_key_id, encrypted_data: 'x' },
  });
});
