import { applyEvent } from '@bellhop/client';
import { type InitialState, type QueuedEvent, roles } from '@bellhop/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type Person, startTestChat, type TestChat } from '../../../test-chat.fixture.ts';
import { listen } from '../../queues/listen.fixture.ts';
import { addChannel, setChannel } from '../channels.fixture.ts';
import { namesOf, recordEvents, summarize } from './subscribing.fixture.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startTestChat();
});
afterAll(() => chat[Symbol.asyncDispose]());

let count = 0;
type Settings = Partial<Parameters<typeof addChannel>[1]>;
/** A new channel with these subscribers. */
async function channelOf(subscribers: readonly Person[], settings: Settings = {}) {
  const name = `channel ${++count}`;
  return { name, id: await addChannel(chat, { name, subscribers, ...settings }) };
}
const leave = ({ client }: Person, names: readonly string[], principals?: readonly Person[]) =>
  client.subscriptions.remove({
    subscriptions: [...names],
    ...(principals ? { principals: principals.map(({ user }) => user.id) } : {}),
  });
const insufficient = { code: 'BAD_REQUEST', message: 'Insufficient permission' };

describe('DELETE /users/me/subscriptions', () => {
  test('ends the subscriptions of the caller, and names those that it ended', async () => {
    const { hamlet, cordelia } = chat.people;
    const [one, other] = [await channelOf([hamlet, cordelia]), await channelOf([cordelia])];
    expect(await leave(hamlet, [one.name.toUpperCase(), ` ${other.name}`, one.name])).toEqual({
      removed: [one.name],
      not_removed: [other.name],
    });
    const { subscribers } = await hamlet.client.channels.subscribers({ stream_id: one.id });
    expect(subscribers).toEqual([cordelia.user.id]);
    expect(await leave(hamlet, [one.name])).toEqual({ removed: [], not_removed: [one.name] });
  });

  test('refuses unknown channels, and private ones of others, with the same text', async () => {
    const { hamlet, cordelia } = chat.people;
    const [open, hidden] = [
      await channelOf([hamlet]),
      await channelOf([cordelia], { invite_only: true }),
    ];
    await expect(leave(hamlet, [open.name, hidden.name, 'nowhere'])).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: `Channel(s) (${hidden.name}, nowhere) do not exist`,
    });
    expect(await leave(hamlet, [open.name])).toMatchObject({ removed: [open.name] });
  });

  test('a subscription that begins again has its former settings', async () => {
    const { hamlet } = chat.people;
    const { name, id } = await channelOf([hamlet]);
    await hamlet.client.subscriptions.setProperties({
      subscription_data: [{ stream_id: id, property: 'color', value: '#abcdef' }],
    });
    await leave(hamlet, [name]);
    const { unsubscribed } = await hamlet.client.queues.register({
      fetch_event_types: ['subscription'],
    });
    expect(unsubscribed).toContainEqual(expect.objectContaining({ name, color: '#abcdef' }));
    await hamlet.client.subscriptions.add({ subscriptions: [{ name }] });
    const { subscriptions } = await hamlet.client.subscriptions.list();
    expect(subscriptions).toContainEqual(expect.objectContaining({ name, color: '#abcdef' }));
  });
});

describe('a channel that a former subscriber sees again', () => {
  const register = ({ client }: Person, notification_settings_null: boolean) =>
    client.queues.register({
      fetch_event_types: ['subscription'],
      event_types: ['stream', 'subscription'],
      include_subscribers: true,
      client_capabilities: { notification_settings_null },
    });

  test.each([true, false])(
    'is unsubscribed with the former settings (notification_settings_null: %s)',
    async (notification_settings_null) => {
      const { hamlet, cordelia, iago } = chat.people;
      const { name, id } = await channelOf([hamlet, cordelia, iago]);
      await hamlet.client.subscriptions.setProperties({
        subscription_data: [
          { stream_id: id, property: 'color', value: '#abcdef' },
          { stream_id: id, property: 'is_muted', value: true },
        ],
      });
      await leave(hamlet, [name]);
      const { update } = iago.client.channels;
      await update({ stream_id: id, is_private: true });
      const start = await register(hamlet, notification_settings_null);
      await update({ stream_id: id, is_private: false });
      const { events } = await hamlet.client.queues.events({
        queue_id: start.queue_id ?? '',
        last_event_id: start.last_event_id,
        dont_block: true,
      });
      const owner = { user_id: hamlet.user.id, include_subscribers: true };
      const state = (events as QueuedEvent[]).reduce(
        (known: InitialState, event) => applyEvent(known, event, owner),
        start,
      );
      const now = await register(hamlet, notification_settings_null);
      const shown = { stream_id: id, color: '#abcdef', is_muted: true, in_home_view: false };
      expect(now.unsubscribed).toContainEqual(expect.objectContaining(shown));
      expect(state.unsubscribed).toEqual(now.unsubscribed);
      expect(state.never_subscribed).toEqual(now.never_subscribed);
    },
  );
});

describe('permission to unsubscribe other users', () => {
  test('belongs to administrators, channel administrators and can_remove_subscribers_group', async () => {
    const { desdemona, iago, shiva, hamlet, cordelia, polonius } = chat.people;
    for (const privacy of [{}, { invite_only: true }]) {
      const { name } = await channelOf([shiva, hamlet, cordelia, polonius], privacy);
      for (const caller of [shiva, hamlet, polonius])
        await expect(leave(caller, [name], [cordelia])).rejects.toMatchObject(insufficient);
      expect(await leave(desdemona, [name], [cordelia])).toMatchObject({ removed: [name] });
      expect(await leave(iago, [name], [polonius])).toMatchObject({ removed: [name] });
      await setChannel(chat, name, { can_remove_subscribers_group: 'role:moderators' });
      expect(await leave(shiva, [name], [hamlet])).toMatchObject({ removed: [name] });
    }
    const { name } = await channelOf([hamlet, cordelia]);
    await setChannel(chat, name, { can_administer_channel_group: 'role:members' });
    expect(await leave(hamlet, [name], [cordelia])).toMatchObject({ removed: [name] });
    await expect(leave(polonius, [name], [hamlet])).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  test('covers the own bots of the caller without a group', async () => {
    const { hamlet, cordelia } = chat.people;
    const { user_id } = await hamlet.client.bots.create({ full_name: 'Leaver', short_name: 'lv' });
    const { name, id } = await channelOf([hamlet, { user: { id: user_id } } as Person]);
    const principals = [{ user: { id: user_id } } as Person];
    await expect(leave(cordelia, [name], principals)).rejects.toMatchObject(insufficient);
    expect(await leave(hamlet, [name], principals)).toMatchObject({ removed: [name] });
    const { subscribers } = await hamlet.client.channels.subscribers({ stream_id: id });
    expect(subscribers).toEqual([hamlet.user.id]);
  });

  test('takes users by e-mail address, and refuses unknown ones', async () => {
    const { iago, hamlet } = chat.people;
    const { name } = await channelOf([hamlet]);
    const by = (principals: string[]) =>
      iago.client.subscriptions.remove({ subscriptions: [name], principals });
    await expect(by(['nobody@chat.test'])).rejects.toMatchObject({
      message: "Invalid email 'nobody@chat.test'",
    });
    expect(await by([hamlet.email])).toEqual({ removed: [name], not_removed: [] });
  });
});

describe('the events of unsubscribing', () => {
  test('tell a public channel to everybody who sees it', async () => {
    const { hamlet, cordelia, polonius } = chat.people;
    const { name, id } = await channelOf([hamlet, cordelia, polonius]);
    const received = await recordEvents(chat, () => leave(hamlet, [name]));
    for (const who of namesOf(received))
      expect(received[who], who).toMatchObject(
        who === 'hamlet'
          ? [{ type: 'subscription', op: 'remove', subscriptions: [{ name, stream_id: id }] }]
          : [{ type: 'subscription', op: 'peer_remove', user_ids: [hamlet.user.id] }],
      );
  });

  test('hide a private channel from a subscriber who leaves it', async () => {
    const { hamlet, cordelia, iago } = chat.people;
    const { name, id } = await channelOf([hamlet, cordelia, iago], { invite_only: true });
    const received = await recordEvents(chat, () => leave(iago, [name], [hamlet, iago]));
    expect(summarize(received)).toEqual({
      desdemona: ['subscription peer_remove'],
      iago: ['subscription peer_remove', 'subscription remove'],
      shiva: [],
      hamlet: ['subscription remove', 'stream delete'],
      cordelia: ['subscription peer_remove'],
      polonius: [],
    });
    expect(received.hamlet[1]).toMatchObject({ stream_ids: [id], streams: [{ stream_id: id }] });
    expect(received.iago[0]).toMatchObject({ user_ids: [hamlet.user.id], stream_ids: [id] });
    expect(received.cordelia[0]).toMatchObject({ user_ids: [iago.user.id, hamlet.user.id] });
    await expect(hamlet.client.channels.subscribers({ stream_id: id })).rejects.toMatchObject({
      message: 'Invalid channel ID',
    });
  });
});

test('unsubscribing marks the messages of the channel as read, and only those', async () => {
  const { hamlet, cordelia } = chat.people;
  const [left, kept] = [await channelOf([hamlet, cordelia]), await channelOf([hamlet, cordelia])];
  const queue = await listen(hamlet);
  const send = async (to: string) =>
    (await cordelia.client.messages.send({ type: 'channel', to, topic: 't', content: 'x' })).id;
  const messages = [await send(left.name), await send(left.name)];
  const other = await send(kept.name);
  await leave(hamlet, [left.name]);
  expect(await queue.events('update_message_flags')).toMatchObject([
    { op: 'add', flag: 'read', messages, all: false },
  ]);
  const { unread_msgs } = await hamlet.client.queues.register({
    fetch_event_types: ['message', 'update_message_flags'],
  });
  const unread = unread_msgs?.streams.flatMap(({ unread_message_ids }) => unread_message_ids);
  expect(unread).toContain(other);
  expect(unread).not.toContain(messages[0]);
});

describe('PATCH /users/me/subscriptions', () => {
  test('subscribes and unsubscribes in one request', async () => {
    const { hamlet } = chat.people;
    const old = await channelOf([hamlet]);
    const known = await channelOf([hamlet]);
    const name = `channel ${++count}`;
    expect(
      await hamlet.client.subscriptions.update({
        add: [{ name, color: '#112233' }, { name: known.name }],
        delete: [old.name],
      }),
    ).toEqual({
      subscribed: { [hamlet.user.id]: [name] },
      already_subscribed: { [hamlet.user.id]: [known.name] },
      removed: [old.name],
      not_removed: [],
    });
    expect(await hamlet.client.subscriptions.update({ delete: [name] })).toEqual({
      subscribed: {},
      already_subscribed: {},
      removed: [name],
      not_removed: [],
    });
  });

  test('refuses a request that names no channel, and does nothing if one part fails', async () => {
    const { hamlet } = chat.people;
    await expect(hamlet.client.subscriptions.update({})).rejects.toMatchObject({
      message: 'Nothing to do. Specify at least one of "add" or "delete".',
    });
    const { name, id } = await channelOf([]);
    await expect(
      hamlet.client.subscriptions.update({ add: [{ name }], delete: ['nowhere'] }),
    ).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect(await hamlet.client.channels.subscribers({ stream_id: id })).toEqual({
      subscribers: [],
    });
  });
});

describe('the subscribers of a channel', () => {
  test('are returned to those who see the channel', async () => {
    const { hamlet, cordelia, polonius, iago } = chat.people;
    const open = await channelOf([hamlet, cordelia]);
    const hidden = await channelOf([polonius], { invite_only: true });
    const members = ({ client }: Person, stream_id: typeof open.id) =>
      client.channels.subscribers({ stream_id });
    expect(await members(iago, open.id)).toEqual({
      subscribers: [hamlet.user.id, cordelia.user.id],
    });
    expect(await members(iago, hidden.id)).toEqual({ subscribers: [polonius.user.id] });
    const invalid = { code: 'BAD_REQUEST', message: 'Invalid channel ID' };
    await expect(members(hamlet, hidden.id)).rejects.toMatchObject(invalid);
    await expect(members(polonius, open.id)).rejects.toMatchObject(invalid);
    await expect(members(iago, 999_999 as never)).rejects.toMatchObject(invalid);
  });

  test('GET /users/{user_id}/subscriptions/{stream_id} says whether a user is one of them', async () => {
    const { hamlet, cordelia, polonius } = chat.people;
    const { name, id } = await channelOf([hamlet, cordelia]);
    const hidden = await channelOf([polonius], { invite_only: true });
    const status = (user_id: number, stream_id = id) =>
      hamlet.client.subscriptions.status({ user_id: user_id as never, stream_id });
    expect(await status(cordelia.user.id)).toEqual({ is_subscribed: true });
    await leave(cordelia, [name]);
    expect(await status(cordelia.user.id)).toEqual({ is_subscribed: false });
    expect(await status(polonius.user.id)).toEqual({ is_subscribed: false });
    await expect(status(999_999)).rejects.toMatchObject({ message: 'No such user' });
    await expect(status(polonius.user.id, hidden.id)).rejects.toMatchObject({
      message: 'Invalid channel ID',
    });
    expect(polonius.user.role).toBe(roles.guest);
  });
});
