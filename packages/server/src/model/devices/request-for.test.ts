import type { AskedPushRequests } from '@bellhop/protocol';
import { expect, test } from 'vitest';

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

const topicOf = (message_id: number, push_public_key: string) => {
  const device = { bouncer_device_id: 1, push_account_id: 5n, push_public_key };
  const parts = { device, payload: { ...payload, message_id }, encrypted_data: 'x', now: 0 };
  const { webpush_headers } = requestFor('webpush', parts) as AskedPushRequests['webpush'];
  return webpush_headers.topic;
};

test('a message has one topic at each device, and messages, devices and keys have different topics', () => {
  expect(topicOf(7, 'key')).toBe(topicOf(7, 'key'));
  expect(new Set([topicOf(7, 'key'), topicOf(8, 'key'), topicOf(7, 'other')]).size).toBe(3);
});
