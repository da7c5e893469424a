import { expect, test } from 'vitest';

import { after, bot, channel, subscription } from './state.fixture.ts';

test('typing, submessages, heartbeats and events of unknown types change no state', () => {
  const state = { max_message_id: 5 as never, streams: [channel(1)] };
  expect(
    after(
      state,
      { type: 'typing', op: 'start' },
      { type: 'submessage', message_id: 9, sender_id: 10 },
      { type: 'heartbeat' },
      { type: 'telepathy' },
    ),
  ).toBe(state);
});

test('max_message_id grows to a message that the owner of the state reacts to', () => {
  const reaction = { type: 'reaction', op: 'add', message_id: 7 };
  const state = { max_message_id: 5 as never };
  expect(after(state, { ...reaction, user_id: 11 })).toBe(state);
  const after7 = after(state, { ...reaction, user_id: 10 });
  expect(after7).toEqual({ max_message_id: 7 });
  expect(after(after7, { ...reaction, message_id: 6, user_id: 10 })).toEqual(after7);
});

test('an event adds no part of the state that was not fetched', () => {
  const events = [
    { type: 'stream', op: 'create', streams: [channel(1)] },
    { type: 'subscription', op: 'add', subscriptions: [subscription(1, [10])] },
    { type: 'subscription', op: 'peer_add', user_ids: [11], stream_ids: [1] },
    { type: 'subscription', op: 'remove', subscriptions: [{ name: 'x', stream_id: 1 }] },
    { type: 'realm_bot', op: 'add', bot: bot(1) },
    { type: 'push_device', push_account_id: '1', status: 'active' },
    { type: 'realm', op: 'update', property: 'push_notifications_enabled', value: true },
    { type: 'realm_user', op: 'update', person: { user_id: 10, full_name: 'New' } },
  ];
  expect(after({}, ...events)).toEqual({});
});

test('realm_bot events add, change and delete bots', () => {
  const created = after({ realm_bots: [bot(9)] }, { type: 'realm_bot', op: 'add', bot: bot(7) });
  expect(created).toEqual({ realm_bots: [bot(7), bot(9)] });
  const update = { user_id: 7, is_active: false, full_name: undefined };
  const changed = after(created, { type: 'realm_bot', op: 'update', bot: update });
  expect(changed).toEqual({ realm_bots: [{ ...bot(7), is_active: false }, bot(9)] });
  expect(after(changed, { type: 'realm_bot', op: 'delete', bot: { user_id: 7 } })).toEqual({
    realm_bots: [bot(9)],
  });
});

test('device events add, change and remove a device, and tell null from nothing', () => {
  const added = after({ devices: {} }, { type: 'device', op: 'add', device_id: 3 });
  const empty = {
    push_key_id: null,
    push_token_id: null,
    pending_push_token_id: null,
    push_token_last_updated_timestamp: null,
    push_registration_error_code: null,
  };
  expect(added).toEqual({ devices: { '3': empty } });
  const update = { type: 'device', op: 'update', device_id: 3 } as const;
  const refused = { push_registration_error_code: 'BAD_REQUEST', error_message: 'why' } as const;
  const failed = after(
    added,
    { ...update, push_key_id: 7, pending_push_token_id: 'CABBxC4BRCg=' },
    { ...update, ...refused },
  );
  const pending = { ...empty, push_key_id: 7, pending_push_token_id: 'CABBxC4BRCg=' };
  expect(failed).toEqual({ devices: { '3': { ...pending, ...refused } } });
  const again = after(failed, { ...update, push_registration_error_code: null });
  expect(again).toEqual({ devices: { '3': pending } });
  const active = { push_token_id: 'CABBxC4BRCg=', pending_push_token_id: null };
  expect(after(again, { ...update, ...active })).toEqual({
    devices: { '3': { ...empty, push_key_id: 7, push_token_id: 'CABBxC4BRCg=' } },
  });
  expect(after(added, { ...update, device_id: 4, push_key_id: 1 })).toEqual(added);
  expect(after(added, { type: 'device', op: 'remove', device_id: 3 })).toEqual({ devices: {} });
});

test('push_device events make a device active or failed', () => {
  const refused = { error_code: 'BAD_REQUEST', error_message: 'token is missing' } as const;
  const pending = { status: 'pending', error_code: null } as const;
  const state = { push_devices: { '1': pending, '-2': pending, '3': pending } };
  const events = [
    { type: 'push_device', push_account_id: '1', status: 'active' },
    { type: 'push_device', push_account_id: '-2', status: 'failed', error_code: 'REQUEST_EXPIRED' },
    { type: 'push_device', push_account_id: '3', status: 'failed', ...refused },
    { type: 'push_device', push_account_id: '4', status: 'failed', ...refused },
    { type: 'push_device', push_account_id: '4', status: 'active' },
  ];
  expect(after(state, ...events).push_devices).toEqual({
    '1': { status: 'active', error_code: null },
    '-2': { status: 'failed', error_code: 'REQUEST_EXPIRED' },
    '3': { status: 'failed', ...refused },
    '4': { status: 'active', error_code: null },
  });
});
