import { MAX_PUSH_BYTES, type MessageId, type UserId } from '@bellhop/protocol';
import { expect, test } from 'vitest';

import { removalPayloads } from './send-push-removal.ts';

const realm = { url: 'https://chat.example.com', name: 'Ärzte' };
const idsFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, at) => (first + at) as MessageId);
const payloadsOf = (ids: readonly MessageId[]) =>
  removalPayloads({ realm, user_id: 8 as UserId }, ids);

test('removalPayloads names the newest messages first, at most 200 in a notification', () => {
  const payloads = payloadsOf(idsFrom(1, 450));
  expect(payloads.map(({ message_ids }) => message_ids.length)).toEqual([200, 200, 50]);
  expect(payloads.flatMap(({ message_ids }) => message_ids)).toEqual(idsFrom(1, 450).toReversed());
});

test('removalPayloads divides long ids so that each notification is within the size limit', () => {
  const ids = idsFrom(2 ** 52, 400);
  const payloads = payloadsOf(ids);
  expect(payloads.flatMap(({ message_ids }) => message_ids)).toEqual(ids.toReversed());
  const sizes = payloads.map((payload) => Buffer.byteLength(JSON.stringify(payload)));
  expect(Math.max(...sizes)).toBeLessThanOrEqual(MAX_PUSH_BYTES);
  expect(Math.max(...sizes)).toBeGreaterThan(MAX_PUSH_BYTES - 20);
});
