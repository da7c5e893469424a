import { expect, test } from 'vitest';

import type { InitialState } from '../../api/initial-state.ts';
import {
  after,
  channel,
  channelMessage,
  directMessage,
  nothingUnread,
  subscription,
} from '../../api/state.fixture.ts';
import { ChannelId, MessageId } from '../../values/ids.ts';

const arrives = (message: object, ...flags: string[]) => ({ type: 'message', message, flags });
const empty: InitialState = {
  max_message_id: -1,
  unread_msgs: nothingUnread,
  recent_private_conversations: [],
};

test('max_message_id grows from -1 and never shrinks', () => {
  const state = after(empty, arrives(channelMessage(5, 1, 't'), 'read'));
  expect(state.max_message_id).toBe(5);
  expect(after(state, arrives(channelMessage(4, 1, 't'), 'read')).max_message_id).toBe(5);
});

test('max_message_id grows by a flag on a message that its owner had not received', () => {
  const star = { type: 'update_message_flags', op: 'add', flag: 'starred', messages: [4, 7] };
  const state = after({ ...empty, max_message_id: MessageId.parse(5) }, star);
  expect(state.max_message_id).toBe(7);
  expect(after(state, { ...star, messages: [6] }).max_message_id).toBe(7);
});

test('a message that is read already does not change the unread messages', () => {
  expect(after(empty, arrives(channelMessage(5, 1, 't'), 'read', 'mentioned')).unread_msgs).toEqual(
    nothingUnread,
  );
});

test('unread channel messages are grouped by channel and topic, ignoring case', () => {
  const state = after(
    empty,
    arrives(channelMessage(1, 12, 'b')),
    arrives(channelMessage(2, 3, 'Lunch')),
    arrives(channelMessage(3, 12, 'a'), 'mentioned'),
    arrives(channelMessage(4, 3, 'lunch'), 'stream_wildcard_mentioned'),
  );
  expect(state.unread_msgs).toEqual({
    ...nothingUnread,
    count: 4,
    streams: [
      { stream_id: 3, topic: 'Lunch', unread_message_ids: [2, 4] },
      { stream_id: 12, topic: 'a', unread_message_ids: [3] },
      { stream_id: 12, topic: 'b', unread_message_ids: [1] },
    ],
    mentions: [3, 4],
  });
});

test('a wildcard in a muted topic does not count as a mention, a mention of the reader does', () => {
  const user_topics = [
    { stream_id: ChannelId.parse(3), topic_name: 'Lunch', last_updated: 1, visibility_policy: 1 },
  ] satisfies InitialState['user_topics'];
  const state = after(
    { ...empty, user_topics },
    arrives(channelMessage(1, 3, 'lunch'), 'stream_wildcard_mentioned'),
    arrives(channelMessage(2, 3, 'lunch'), 'mentioned', 'stream_wildcard_mentioned'),
    arrives(channelMessage(3, 4, 'lunch'), 'topic_wildcard_mentioned'),
  );
  expect(state.unread_msgs?.mentions).toEqual([2, 3]);
});

test('unread direct messages are grouped by the other participants', () => {
  const state = after(
    empty,
    arrives(directMessage(1, 11, 10)),
    arrives(directMessage(2, 10)),
    arrives(directMessage(3, 9, 10)),
    arrives(directMessage(4, 11, 9, 10)),
    arrives(directMessage(5, 10, 11, 9)),
    arrives(directMessage(6, 10, 11)),
  );
  const pm = (id: number, ...unread_message_ids: number[]) => ({
    other_user_id: id,
    sender_id: id,
    unread_message_ids,
  });
  expect(state.unread_msgs).toEqual({
    ...nothingUnread,
    count: 6,
    pms: [pm(9, 3), pm(10, 2), pm(11, 1, 6)],
    huddles: [{ user_ids_string: '9,10,11', unread_message_ids: [4, 5] }],
  });
});

test('a direct message moves its conversation to the front of the recent ones', () => {
  const state = after(
    empty,
    arrives(directMessage(1, 11, 10), 'read'),
    arrives(directMessage(2, 12, 10, 11), 'read'),
    arrives(directMessage(3, 10), 'read'),
    arrives(directMessage(4, 10, 11), 'read'),
  );
  expect(state.recent_private_conversations).toEqual([
    { user_ids: [11], max_message_id: 4 },
    { user_ids: [], max_message_id: 3 },
    { user_ids: [11, 12], max_message_id: 2 },
  ]);
});

test('the first message of a channel sets first_message_id in every list', () => {
  const before = { streams: [channel(1), channel(2)], subscriptions: [subscription(1, [10])] };
  const state = after(
    before,
    arrives(channelMessage(7, 1, 't'), 'read'),
    arrives(channelMessage(8, 1, 't'), 'read'),
  );
  expect(state).toEqual({
    streams: [{ ...channel(1), first_message_id: 7 }, channel(2)],
    subscriptions: [{ ...subscription(1, [10]), first_message_id: 7 }],
  });
});
