import type { ChannelId } from '@bellhop/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { type Person, startTestChat, type TestChat } from '../../../test-chat.fixture.ts';
import { listen } from '../../queues/listen.fixture.ts';
import { recordEvents, summarize } from '../subscribe/subscribing.fixture.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startTestChat();
});
afterAll(() => chat[Symbol.asyncDispose]());

let count = 0;
let name = '';
let id: ChannelId;
beforeEach(async () => {
  const { hamlet, cordelia } = chat.people;
  name = `channel ${++count}`;
  const subscribers = [hamlet.user.id, cordelia.user.id];
  ({ id } = await hamlet.client.channels.create({ name, subscribers }));
});
const archive = ({ client }: Person) => client.channels.archive({ stream_id: id });
const unarchive = ({ client }: Person) =>
  client.channels.update({ stream_id: id, is_archived: false });
const archivedChannels = { client_capabilities: { archived_channels: true } };

describe('DELETE /streams/{stream_id}', () => {
  test('archives a channel for those who administer it, once', async () => {
    const { iago, shiva, hamlet, polonius } = chat.people;
    await expect(archive(shiva)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: 'You do not have permission to administer this channel.',
    });
    await expect(archive(polonius)).rejects.toMatchObject({ message: 'Invalid channel ID' });
    await archive(hamlet);
    await expect(archive(iago)).rejects.toMatchObject({ message: 'Channel is already archived.' });
    expect((await hamlet.client.channels.one({ stream_id: id })).stream.is_archived).toBe(true);
  });

  test('refuses messages, keeps subscriptions, and marks the messages as read', async () => {
    const { iago, hamlet, cordelia } = chat.people;
    const send = () =>
      hamlet.client.messages.send({ type: 'channel', to: name, topic: 't', content: 'x' });
    const message = await send();
    const queue = await listen(cordelia);
    await archive(iago);
    await expect(send()).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect((await cordelia.client.channels.subscribers({ stream_id: id })).subscribers).toEqual([
      hamlet.user.id,
      cordelia.user.id,
    ]);
    const [flags] = await queue.events('update_message_flags');
    expect(flags).toMatchObject({ op: 'add', flag: 'read' });
    expect(flags?.['messages']).toContain(message.id);
  });

  test('leaves nobody an unread message, its notice included', async () => {
    const { iago, cordelia } = chat.people;
    await archive(iago);
    const { unread_msgs } = await cordelia.client.queues.register({
      fetch_event_types: ['message', 'update_message_flags'],
    });
    expect(unread_msgs?.streams.filter(({ stream_id }) => stream_id === id)).toEqual([]);
  });

  test('leaves no message that can be marked as unread', async () => {
    const { iago, hamlet, cordelia } = chat.people;
    const message = await hamlet.client.messages.send({
      type: 'channel',
      to: name,
      topic: 't',
      content: 'x',
    });
    await archive(iago);
    const queue = await listen(cordelia);
    const unread = { op: 'remove', flag: 'read' } as const;
    const ignored = { ignored_because_not_subscribed_channels: [id] };
    const { client } = cordelia;
    expect(await client.messages.setFlag({ messages: [message.id], ...unread })).toEqual({
      messages: [],
      ...ignored,
    });
    const narrow = [{ operator: 'channel', operand: id }];
    const range = { anchor: 'newest', num_before: 10, num_after: 0, narrow, ...unread };
    expect(await client.messages.setFlagInNarrow(range)).toMatchObject({
      processed_count: 3,
      updated_count: 0,
      ...ignored,
    });
    expect(await queue.all()).toEqual([]);
  });

  test('leaves a last notice, and ends being a default channel', async () => {
    const { iago, hamlet } = chat.people;
    await iago.client.channels.update({ stream_id: id, is_default_stream: true });
    const queue = await listen(hamlet);
    await archive(iago);
    expect(await queue.messages()).toMatchObject([
      {
        message: {
          subject: 'channel events',
          content: `@_**Iago|${iago.user.id}** archived this channel.`,
        },
      },
    ]);
    const { realm_default_streams } = await hamlet.client.queues.register({
      fetch_event_types: ['default_streams'],
    });
    expect(realm_default_streams).not.toContain(id);
  });

  test('ends the messages of the realm to the channel, and every client learns it', async () => {
    const { desdemona, hamlet } = chat.people;
    const names = ['signup_announcements_stream_id', 'new_stream_announcements_stream_id'] as const;
    const realmChannels = Object.fromEntries(names.map((name) => [name, id]));
    await desdemona.client.realms.update(realmChannels);
    const queue = await listen(hamlet);
    await desdemona.client.channels.update({ stream_id: id, is_archived: true });
    expect((await queue.events('realm')).map(({ property, value }) => [property, value])).toEqual(
      names.toSorted().map((name) => [name, -1]),
    );
    const state = await hamlet.client.queues.register({ fetch_event_types: ['realm'] });
    expect(state).toMatchObject({
      realm_signup_announcements_stream_id: -1,
      realm_new_stream_announcements_stream_id: -1,
    });
  });

  test('is an update for clients with archived_channels, a deletion for others', async () => {
    const { iago } = chat.people;
    const received = await recordEvents(chat, () => archive(iago));
    expect(summarize(received)).toMatchObject({
      hamlet: ['stream delete'],
      shiva: ['stream delete'],
      polonius: [],
    });
    await unarchive(iago);
    const modern = await recordEvents(chat, () => archive(iago), archivedChannels);
    expect(modern.hamlet).toMatchObject([
      { type: 'stream', op: 'update', stream_id: id, name, property: 'is_archived', value: true },
    ]);
    expect(modern.polonius).toEqual([]);
  });
});

describe('is_archived false', () => {
  test('makes a channel usable again, with a notice', async () => {
    const { iago, hamlet, cordelia } = chat.people;
    await archive(iago);
    const queue = await listen(cordelia);
    await unarchive(hamlet);
    await hamlet.client.messages.send({ type: 'channel', to: name, topic: 't', content: 'x' });
    const messages = (await queue.messages()).map(({ message }) => message);
    expect(messages).toMatchObject([
      { content: `@_**Hamlet|${hamlet.user.id}** unarchived this channel.` },
      { subject: 't' },
    ]);
  });

  test('is an update for clients with archived_channels; others get the channel again', async () => {
    const { iago, hamlet } = chat.people;
    await archive(iago);
    const received = await recordEvents(chat, () => unarchive(iago), {
      include_subscribers: true,
    });
    expect(summarize(received)).toMatchObject({
      hamlet: [`stream create ${name}`, `subscription add ${name}`],
      shiva: [`stream create ${name}`, 'subscription peer_add'],
      polonius: [],
    });
    expect(received.hamlet[1]).toMatchObject({
      subscriptions: [
        { stream_id: id, is_archived: false, subscribers: [hamlet.user.id, expect.any(Number)] },
      ],
    });
    await archive(iago);
    const modern = await recordEvents(chat, () => unarchive(iago), archivedChannels);
    expect(modern.shiva).toMatchObject([{ property: 'is_archived', value: false }]);
    expect(modern.hamlet).toMatchObject([{ property: 'is_archived', value: false }]);
  });

  test('changes nothing in a channel that is not archived', async () => {
    const { iago } = chat.people;
    const received = await recordEvents(chat, () => unarchive(iago));
    expect(received.hamlet).toEqual([]);
  });
});

test('an archived channel is in no event of subscriptions for clients without archived_channels', async () => {
  const { iago, hamlet, cordelia } = chat.people;
  const { user } = await chat.addPerson(`leaving-${count}`);
  await hamlet.client.subscriptions.add({ subscriptions: [{ name }], principals: [user.id] });
  await archive(iago);
  const event_types = ['stream', 'subscription'];
  const queues = (more: object) =>
    Promise.all([hamlet, cordelia].map((one) => listen(one, { event_types, ...more })));
  const [older, modern] = [await queues({}), await queues(archivedChannels)];
  const pinned = { stream_id: id, property: 'pin_to_top', value: true } as const;
  await hamlet.client.subscriptions.setProperties({ subscription_data: [pinned] });
  await iago.client.users.deactivate({ user_id: user.id });
  await iago.client.users.reactivate({ user_id: user.id });
  await hamlet.client.subscriptions.remove({ subscriptions: [name] });
  const received = (all: typeof older) =>
    Promise.all(all.map(async (one) => (await one.all()).map(({ op }) => op)));
  expect(await received(modern)).toEqual([
    ['update', 'peer_remove', 'peer_add', 'remove'],
    ['peer_remove', 'peer_add', 'peer_remove'],
  ]);
  expect(await received(older)).toEqual([[], []]);
});
