import { expect, test } from 'vitest';

import { keepWhileOffline } from './mailbox.ts';
import type { AcceptedNotification } from './notification.ts';

function message(nr: number, collapseKey: string | null = null): AcceptedNotification {
  const content = {
    kind: 'fcm' as const,
    token: 't',
    message_id: String(nr),
    priority: 'high' as const,
    collapse_key: collapseKey,
    data: {},
  };
  return { content, expires_at: 1 };
}

const idsKept = (messages: AcceptedNotification[]) =>
  messages
    .reduce<AcceptedNotification[]>((waiting, next) => keepWhileOffline(waiting, next), [])
    .map(({ content }) => ('message_id' in content ? content.message_id : content.apns_id));

test('FCM keeps 100 messages without a collapse key; the next one discards them', () => {
  const messages = Array.from({ length: 100 }, (_, nr) => message(nr));
  expect(idsKept(messages)).toHaveLength(100);
  expect(idsKept([...messages, message(100)])).toEqual(['100']);
});

test('FCM keeps the newest message of each collapse key, for at most four keys', () => {
  const keys = ['a', 'b', 'a', 'c', 'd', 'e'];
  expect(idsKept(keys.map((key, nr) => message(nr, key)))).toEqual(['2', '3', '4', '5']);
});

test('FCM keeps messages with and without a collapse key at the same time', () => {
  expect(idsKept([message(1), message(2, 'a'), message(3), message(4, 'a')])).toEqual([
    '1',
    '3',
    '4',
  ]);
});
