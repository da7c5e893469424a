import { expect, test } from 'vitest';

import type { InitialState } from '../../api/initial-state.ts';
import { after, channel, subscription } from '../../api/state.fixture.ts';

const counted = <C extends object>(record: C, subscriber_count: number) => ({
  ...record,
  subscriber_count,
});
/** User 10 is in channel 1, was in 2, never was in 3. */
const before: InitialState = {
  streams: [counted(channel(1), 2), counted(channel(2), 1), channel(3)],
  subscriptions: [subscription(1, [10, 11])],
  unsubscribed: [subscription(2, [11])],
  never_subscribed: [channel(3, [])],
  realm_default_streams: [1, 2].map((id) => channel(id).stream_id),
};
const added = (...subscriptions: object[]) => ({ type: 'subscription', op: 'add', subscriptions });
const removed = (...ids: number[]) => ({
  type: 'subscription',
  op: 'remove',
  subscriptions: ids.map((stream_id) => ({ stream_id, name: '' })),
});
const peers = (op: 'peer_add' | 'peer_remove', user_ids: number[], ...stream_ids: number[]) => ({
  type: 'subscription',
  op,
  user_ids,
  stream_ids,
});

test('a created channel is listed under streams and never_subscribed', () => {
  const state = after(before, { type: 'stream', op: 'create', streams: [channel(5), channel(4)] });
  expect(state.streams?.map(({ stream_id }) => stream_id)).toEqual([1, 2, 3, 4, 5]);
  expect(state.never_subscribed).toEqual([channel(3, []), channel(4, []), channel(5, [])]);
});

test('a created channel with the owner of the state among its subscribers is listed under subscriptions', () => {
  const state = after(
    before,
    { type: 'stream', op: 'create', streams: [counted(channel(4), 2)] },
    added(subscription(4, [10, 11])),
    peers('peer_add', [11], 4),
  );
  expect(state.subscriptions).toEqual([subscription(1, [10, 11]), subscription(4, [10, 11])]);
  expect(state.never_subscribed).toEqual(before.never_subscribed);
  expect(state.streams?.at(-1)).toEqual(counted(channel(4), 2));
});

test('subscribing moves a channel from never_subscribed or unsubscribed to subscriptions', () => {
  const state = after(before, added(subscription(3, [10]), subscription(2, [10, 11])));
  expect(state).toEqual({
    ...before,
    streams: [counted(channel(1), 2), counted(channel(2), 2), counted(channel(3), 1)],
    subscriptions: [subscription(1, [10, 11]), subscription(2, [10, 11]), subscription(3, [10])],
    unsubscribed: [],
    never_subscribed: [],
  });
});

test('a new subscription without subscribers keeps those known before', () => {
  const { subscriptions } = after(before, added(counted(subscription(2), 2)));
  expect(subscriptions?.[1]).toEqual(subscription(2, [10, 11]));
});

test('unsubscribing moves a channel with its settings to unsubscribed and counts one subscriber less', () => {
  const state = after(before, removed(1, 99));
  expect(state).toEqual({
    ...before,
    streams: [counted(channel(1), 1), counted(channel(2), 1), channel(3)],
    subscriptions: [],
    unsubscribed: [subscription(1, [11]), subscription(2, [11])],
  });
});

test('subscribing and then unsubscribing leaves other channels unchanged', () => {
  const there = after(before, added(subscription(2, [10, 11])), removed(2));
  expect(there).toEqual(before);
});

test('peer_add and peer_remove change the subscribers of a channel once, in every list', () => {
  const state = after(
    before,
    peers('peer_add', [12, 11], 1, 2, 3),
    peers('peer_remove', [11, 13], 1, 2),
  );
  expect(state.subscriptions).toEqual([subscription(1, [10, 12])]);
  expect(state.unsubscribed).toEqual([subscription(2, [12])]);
  expect(state.never_subscribed).toEqual([channel(3, [11, 12])]);
  expect(state.streams?.map(({ subscriber_count }) => subscriber_count)).toEqual([2, 1, 2]);
});

test('subscriber_count is right when subscribers are not listed or only partly', () => {
  const partial = { ...counted(subscription(2), 300), partial_subscribers: [] };
  const plain = { subscriptions: [counted(subscription(1), 2), partial], streams: [channel(1)] };
  const state = after(plain, peers('peer_add', [12, 13], 1, 2), peers('peer_remove', [12], 1));
  expect(state.subscriptions).toEqual([
    counted(subscription(1), 3),
    { ...counted(subscription(2), 302), partial_subscribers: [12, 13] },
  ]);
  expect(state.streams).toEqual([counted(channel(1), 1)]);
});

test('a subscription update changes settings; is_muted and in_home_view stay opposites', () => {
  const update = (property: string, value: unknown) => ({
    type: 'subscription',
    op: 'update',
    stream_id: 1,
    property,
    value,
  });
  const one = subscription(1, [10, 11]);
  const muted = after(before, update('is_muted', true), update('color', '#000000'), update('x', 1));
  const expected = { ...one, is_muted: true, in_home_view: false, color: '#000000' };
  expect(muted.subscriptions).toEqual([expected]);
  expect(after(muted, update('in_home_view', true)).subscriptions).toEqual([
    { ...one, color: '#000000' },
  ]);
});

test('a stream update changes the channel and its dependent properties in every list', () => {
  const update = (property: string, value: unknown, more: object = {}) => ({
    type: 'stream',
    op: 'update',
    stream_id: 1,
    name: 'channel 1',
    property,
    value,
    ...more,
  });
  const state = after(
    before,
    update('name', 'renamed'),
    update('description', '**x**', { rendered_description: '<b>x</b>' }),
    update('invite_only', true, { history_public_to_subscribers: false, is_web_public: false }),
    update('nonsense', 1),
  );
  const changes = {
    name: 'renamed',
    description: '**x**',
    rendered_description: '<b>x</b>',
    invite_only: true,
    history_public_to_subscribers: false,
  };
  expect(state.streams?.[0]).toEqual({ ...counted(channel(1), 2), ...changes });
  expect(state.subscriptions).toEqual([{ ...subscription(1, [10, 11]), ...changes }]);
  expect(state.unsubscribed).toEqual(before.unsubscribed);
});

test('a deleted channel is removed from every list', () => {
  const gone = (...stream_ids: number[]) => ({
    type: 'stream',
    op: 'delete',
    stream_ids,
    streams: [],
  });
  expect(after(before, gone(1, 2, 3))).toEqual({
    streams: [],
    subscriptions: [],
    unsubscribed: [],
    never_subscribed: [],
    realm_default_streams: [],
  });
  expect(after(before, gone(99))).toEqual(before);
});
