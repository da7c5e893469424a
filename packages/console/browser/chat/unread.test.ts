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
