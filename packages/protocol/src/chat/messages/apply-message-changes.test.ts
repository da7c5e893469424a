import { expect, test } from 'vitest';

import type { InitialState } from '../../api/initial-state.ts';
import {
  after,
  channelMessage,
  directMessage,
  nothingUnread,
  subscription,
} from '../../api/state.fixture.ts';

const arrives = (message: object, ...flags: string[]) => ({ type: 'message', message, flags });
const changes = (message_ids: number[], more: object = {}) => ({
  type: 'update_message',
  message_id: message_ids[0],
  message_ids,
  flags: [],
  ...more,
});
const deletion = (message_ids: number[]) => ({ type: 'delete_message', message_ids });
const row = (stream_id: number, topic: string, ...unread_message_ids: number[]) => ({
  stream_id,
  topic,
  unread_message_ids,
});

/** Unread: 1 to 4 in channel 1, 5 and 6 in direct messages. */
const before = after(
  {
    max_message_id: -1,
    unread_msgs: nothingUnread,
    starred_messages: [],
    subscriptions: [subscription(1), subscription(2)],
  } as InitialState,
  arrives(channelMessage(1, 1, 'Lunch')),
  arrives(channelMessage(2, 1, 'lunch'), 'mentioned'),
  arrives(channelMessage(3, 1, 'dinner')),
  arrives(channelMessage(4, 1, 'lunch')),
  arrives(directMessage(5, 10, 11)),
  arrives(directMessage(6, 9, 10, 11), 'mentioned'),
);

test('an edit adds an unread message to the mentions in order, or removes it', () => {
  const mentioned = after(before, changes([1], { flags: ['stream_wildcard_mentioned'] }));
  expect(mentioned.unread_msgs?.mentions).toEqual([1, 2, 6]);
  expect(after(mentioned, changes([2])).unread_msgs?.mentions).toEqual([1, 6]);
  expect(after(before, changes([6])).unread_msgs?.mentions).toEqual([2]);
});

test('an edit of a read or unknown message changes no state', () => {
  const edit = changes([99], { flags: ['read', 'mentioned'], content: 'x' });
  expect(after(before, edit)).toEqual(before);
  expect(after({}, edit)).toEqual({});
});

test('unread messages that move to another topic are unread there', () => {
  const move = { stream_id: 1, orig_subject: 'lunch', subject: 'Dinner' };
  const state = after(before, changes([2, 4], { ...move, flags: ['mentioned'] }));
  expect(state.unread_msgs).toEqual({
    ...before.unread_msgs,
    streams: [row(1, 'Dinner', 2, 3, 4), row(1, 'Lunch', 1)],
  });
  const all = after(state, changes([2, 3, 4], { ...move, orig_subject: 'Dinner', subject: '' }));
  expect(all.unread_msgs?.streams).toEqual([row(1, '', 2, 3, 4), row(1, 'Lunch', 1)]);
});

test('a topic row has the spelling of its oldest message', () => {
  const move = { stream_id: 1, orig_subject: 'Lunch', subject: 'LUNCH' };
  expect(after(before, changes([1], move)).unread_msgs?.streams).toEqual([
    row(1, 'dinner', 3),
    row(1, 'LUNCH', 1, 2, 4),
  ]);
  expect(after(before, changes([4], move)).unread_msgs?.streams).toEqual([
    row(1, 'dinner', 3),
    row(1, 'Lunch', 1, 2, 4),
  ]);
});

test('unread messages that move to another channel stay unread only if the owner of the state is subscribed to it', () => {
  const move = { stream_id: 1, orig_subject: 'Lunch', flags: ['mentioned'] };
  const there = after(before, changes([2, 4], { ...move, new_stream_id: 2 }));
  expect(there.unread_msgs).toEqual({
    ...before.unread_msgs,
    streams: [row(1, 'dinner', 3), row(1, 'Lunch', 1), row(2, 'Lunch', 2, 4)],
  });
  const elsewhere = after(before, changes([2, 4], { ...move, new_stream_id: 3, subject: 'x' }));
  expect(elsewhere.unread_msgs).toEqual({
    ...before.unread_msgs,
    count: 4,
    streams: [row(1, 'dinner', 3), row(1, 'Lunch', 1)],
    mentions: [6],
  });
});

test('without known subscriptions, the flags of the event decide whether moved messages stay unread', () => {
  const { subscriptions: _none, ...unknown } = before;
  const move = { stream_id: 1, orig_subject: 'Lunch', new_stream_id: 2 };
  const kept = after(unknown, changes([1], move));
  expect(kept.unread_msgs).toMatchObject({ count: 6 });
  const read = after(unknown, changes([1], { ...move, flags: ['read'] }));
  expect(read.unread_msgs).toMatchObject({ count: 5 });
});

test('deleted messages are removed from the unread and starred messages, one by one or all at once', () => {
  const starred = { ...before, starred_messages: [1, 3, 7] } as InitialState;
  const state = after(starred, deletion([2, 3, 5, 7]));
  expect(state).toEqual({
    ...before,
    starred_messages: [1],
    unread_msgs: {
      ...before.unread_msgs,
      count: 3,
      pms: [],
      streams: [row(1, 'Lunch', 1, 4)],
      mentions: [6],
    },
  });
  const singly = [2, 3, 5, 7].map((message_id) => ({ type: 'delete_message', message_id }));
  expect(after(starred, ...singly)).toEqual(state);
  expect(after(state, deletion([1, 4, 6])).unread_msgs).toEqual(nothingUnread);
});

test('unread rows are ordered by ID, then by characters, as the server orders them', () => {
  const state = after(
    { unread_msgs: nothingUnread },
    arrives(channelMessage(1, 12, '\u2714 done')),
    arrives(channelMessage(2, 12, 'Zebra')),
    arrives(channelMessage(3, 12, 'apple')),
    arrives(channelMessage(4, 3, 'x10')),
    arrives(channelMessage(5, 3, 'x9')),
    arrives(directMessage(6, 9, 10, 11)),
    arrives(directMessage(7, 10, 11, 12)),
  );
  expect(state.unread_msgs?.streams.map(({ topic }) => topic)).toEqual([
    'x10',
    'x9',
    'apple',
    'Zebra',
    '\u2714 done',
  ]);
  expect(state.unread_msgs?.huddles.map(({ user_ids_string }) => user_ids_string)).toEqual([
    '10,11,12',
    '9,10,11',
  ]);
});
