import { expect, test } from 'vitest';

import { countUnread } from './unread.ts';

test('unread messages of a topic count for all its spellings, and for no other topic', () => {
  const streams = [
    { stream_id: 5, topic: 'ΟΔΟΣ', unread_message_ids: [1, 2] },
    { stream_id: 5, topic: 'οδος', unread_message_ids: [3] },
  ];
  const { of } = countUnread(
    { unread_msgs: { streams, pms: [], huddles: [], mentions: [] } } as never,
    7,
  );
  const counts = ['ΟΔΟΣ', 'οδοσ', 'οδος'].map((topic) => of({ kind: 'topic', channel: 5, topic }));
  expect(counts).toEqual([2, 2, 1]);
});

test('messages of muted topics count in their topic, not in the channel and the total', () => {
  const message = (stream_id: number, topic: string, id: number) => ({
    stream_id,
    topic,
    unread_message_ids: [id],
  });
  const streams = [message(5, 'loud', 1), message(5, 'quiet', 2), message(6, 'any', 3)];
  const { byChannel, total, of } = countUnread(
    {
      unread_msgs: { streams, pms: [], huddles: [], mentions: [] },
      subscriptions: [{ stream_id: 6, is_muted: true }],
      user_topics: [{ stream_id: 5, topic_name: 'Quiet', visibility_policy: 1 }],
    } as never,
    7,
  );
  expect([...byChannel]).toEqual([[5, 1]]);
  expect(total).toBe(1);
  expect(of({ kind: 'topic', channel: 5, topic: 'quiet' })).toBe(1);
  expect(of({ kind: 'channel', channel: 5 })).toBe(2);
});
