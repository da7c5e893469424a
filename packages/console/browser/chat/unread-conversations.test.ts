import { expect, test } from 'vitest';

import { unreadConversations } from './unread-conversations.ts';

test('conversations with unread messages are in the order of their newest one, without muted topics', () => {
  const topic = (name: string, ...unread_message_ids: number[]) => ({
    stream_id: 5,
    topic: name,
    unread_message_ids,
  });
  const unread_msgs = {
    streams: [topic('quiet', 9), topic('news', 1, 4)],
    pms: [{ other_user_id: 8, unread_message_ids: [2] }],
    huddles: [{ user_ids_string: '7,8,9', unread_message_ids: [3, 6] }],
    mentions: [],
  };
  const user_topics = [{ stream_id: 5, topic_name: 'quiet', visibility_policy: 1 }];
  expect(unreadConversations({ unread_msgs, user_topics } as never, 7)).toEqual([
    { view: { kind: 'direct', users: [8, 9] }, count: 2 },
    { view: { kind: 'topic', channel: 5, topic: 'news' }, count: 2 },
    { view: { kind: 'direct', users: [8] }, count: 1 },
  ]);
});
