import type { MessageId } from '@bellhop/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { expectRefused } from '../../../expect-refused.fixture.ts';
import { recipientFlags } from '../../../model/messages/read/recipient-flags.ts';
import { type Person, startTestChat, type TestChat } from '../../../test-chat.fixture.ts';
import { addChannel, subscribe, unsubscribe } from '../../channels/channels.fixture.ts';
import { listen } from '../../queues/listen.fixture.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startTestChat();
  const { hamlet, cordelia, polonius } = chat.people;
  await addChannel(chat, { name: 'denmark', subscribers: [hamlet, cordelia, polonius] });
  await addChannel(chat, { name: 'forum', subscribers: [hamlet] });
  await addChannel(chat, { name: 'council', subscribers: [hamlet], invite_only: true });
});
afterAll(() => chat[Symbol.asyncDispose]());

const send = async ({ client }: Person, to = 'denmark', topic = 'news', content = 'x') =>
  (await client.messages.send({ type: 'channel', to, topic, content })).id;
const direct = async ({ client }: Person, ...to: Person[]) =>
  (
    await client.messages.send({
      type: 'direct',
      to: to.map(({ user }) => user.id),
      content: 'x',
    })
  ).id;
const flagsOf = async ({ client }: Person, message_id: MessageId) =>
  (await client.messages.fetchOne({ message_id })).message.flags;
const registered = ({ client }: Person) =>
  client.queues.register({ client_capabilities: { empty_topic_name: true } as never });
const set = (person: Person, fields: Record<string, string>) =>
  chat.ask(person, 'POST /messages/flags', {
    op: 'add',
    flag: 'starred',
    messages: '[]',
    ...fields,
  });

describe('POST /messages/flags', () => {
  test.each(['starred', 'collapsed', 'read'] as const)(
    'adds and removes %s, and tells only the queues of the user',
    async (flag) => {
      const { hamlet, cordelia } = chat.people;
      const id = await send(hamlet);
      const [queue, others] = [await listen(cordelia), await listen(hamlet)];
      const result = await cordelia.client.messages.setFlag({ messages: [id], op: 'add', flag });
      expect(result).toEqual({ messages: [id] });
      expect(await flagsOf(cordelia, id)).toContain(flag);
      await cordelia.client.messages.setFlag({ messages: [id], op: 'remove', flag });
      expect(await flagsOf(cordelia, id)).not.toContain(flag);
      const event = { type: 'update_message_flags', flag, messages: [id], all: false };
      expect(await queue.all()).toMatchObject([
        { ...event, op: 'add', operation: 'add' },
        { ...event, op: 'remove', operation: 'remove' },
      ]);
      expect(await others.all()).toEqual([]);
    },
  );

  test('repeats the messages of the request, but the event names only the changed ones', async () => {
    const { hamlet, cordelia } = chat.people;
    const [first, second] = [await send(hamlet), await send(hamlet)];
    const change = { op: 'add', flag: 'starred' } as const;
    await cordelia.client.messages.setFlag({ messages: [first], ...change });
    const queue = await listen(cordelia);
    const messages = [second, first, second];
    expect(await cordelia.client.messages.setFlag({ messages, ...change })).toEqual({ messages });
    expect(await queue.all()).toMatchObject([{ messages: [second] }]);
    await cordelia.client.messages.setFlag({ messages, ...change });
    expect(await queue.all()).toEqual([]);
  });

  test.each([
    'mentioned',
    'historical',
    'has_alert_word',
    'wildcard_mentioned',
    'stream_wildcard_mentioned',
    'topic_wildcard_mentioned',
    'group_mentioned',
    'no-such-flag',
  ])('refuses the flag %s', async (flag) => {
    const { hamlet } = chat.people;
    const messages = `[${await send(hamlet)}]`;
    await expectRefused(set(hamlet, { flag, messages }), 'BAD_REQUEST');
  });

  test('refuses another operation than add and remove', async () => {
    await expectRefused(set(chat.people.hamlet, { op: 'toggle' }), 'BAD_REQUEST');
  });

  test('changes no message if one is missing or hidden, with the same error for both', async () => {
    const { hamlet, cordelia } = chat.people;
    const [seen, hidden] = [await send(hamlet), await send(hamlet, 'council')];
    for (const id of [hidden, 999_999]) {
      const { msg } = await expectRefused(set(cordelia, { messages: `[${seen},${id}]` }));
      expect(msg).toBe('Invalid message(s)');
    }
    expect(await flagsOf(cordelia, seen)).not.toContain('starred');
  });

  test('refuses messages of a private channel that the user has left', async () => {
    const { hamlet, cordelia } = chat.people;
    const members = { subscribers: [hamlet, cordelia], invite_only: true };
    const channel = await addChannel(chat, { name: 'cabal', ...members });
    const id = await send(hamlet, 'cabal');
    await unsubscribe(chat, channel, cordelia.user.id);
    await expectRefused(set(cordelia, { messages: `[${id}]` }), 'BAD_REQUEST');
  });

  test('starring a public message from before the subscription makes it historical', async () => {
    const { hamlet, cordelia } = chat.people;
    const id = await send(hamlet, 'forum');
    await cordelia.client.messages.setFlag({ messages: [id], op: 'add', flag: 'starred' });
    expect(await flagsOf(cordelia, id)).toEqual(['read', 'starred', 'historical']);
    const { starred_messages } = await registered(cordelia);
    expect(starred_messages).toContain(id);
    const narrow = [{ operator: 'is', operand: 'starred' }];
    const { messages } = await cordelia.client.messages.fetch({
      anchor: 'newest',
      num_before: 1,
      narrow,
    });
    expect(messages).toMatchObject([{ id }]);
    await cordelia.client.messages.setFlag({ messages: [id], op: 'remove', flag: 'starred' });
    expect(await flagsOf(cordelia, id)).toEqual(['read', 'historical']);
  });

  test('a guest stars no history of a channel that they are not subscribed to', async () => {
    const { hamlet, polonius } = chat.people;
    const messages = `[${await send(hamlet, 'forum')}]`;
    await expectRefused(set(polonius, { messages }), 'BAD_REQUEST');
  });

  test('protected history cannot be starred after the subscription', async () => {
    const { hamlet, cordelia } = chat.people;
    const channel = await addChannel(chat, {
      name: 'vault',
      subscribers: [hamlet],
      invite_only: true,
      history_public_to_subscribers: false,
    });
    const [before] = [await send(hamlet, 'vault')];
    await subscribe(chat, channel, cordelia.user.id);
    await expectRefused(set(cordelia, { messages: `[${before}]` }), 'BAD_REQUEST');
  });

  test('marking as read creates no historical message: such messages are read already', async () => {
    const { hamlet, cordelia } = chat.people;
    const id = await send(hamlet, 'forum');
    await cordelia.client.messages.setFlag({ messages: [id], op: 'add', flag: 'read' });
    const receivers = await recipientFlags(chat.server.app.db.kysely, chat.realm.id, id);
    expect(receivers.map(({ user_id }) => user_id)).toEqual([hamlet.user.id]);
  });

  test('marking as unread skips channels without a subscription and names them', async () => {
    const { hamlet, cordelia } = chat.people;
    const { stream_id } = await hamlet.client.channels.id({ stream: 'forum' });
    const [ours, theirs] = [await send(hamlet), await send(hamlet, 'forum')];
    const unread = { op: 'remove', flag: 'read' } as const;
    await cordelia.client.messages.setFlag({ messages: [ours], op: 'add', flag: 'read' });
    const result = await cordelia.client.messages.setFlag({ messages: [ours, theirs], ...unread });
    expect(result).toEqual({
      messages: [ours],
      ignored_because_not_subscribed_channels: [stream_id],
    });
    expect(await flagsOf(cordelia, theirs)).toEqual(['read', 'historical']);
    const none = await hamlet.client.messages.setFlag({ messages: [ours], ...unread });
    expect(none).toEqual({ messages: [ours], ignored_because_not_subscribed_channels: [] });
  });

  test('marking history of a subscribed channel as unread makes it historical and unread', async () => {
    const { hamlet, cordelia } = chat.people;
    const channel = await addChannel(chat, { name: 'late', subscribers: [hamlet] });
    const id = await send(hamlet, 'late');
    await subscribe(chat, channel, cordelia.user.id);
    await cordelia.client.messages.setFlag({ messages: [id], op: 'remove', flag: 'read' });
    expect(await flagsOf(cordelia, id)).toEqual(['historical']);
    const { unread_msgs } = await registered(cordelia);
    const row = { stream_id: channel, topic: 'news', unread_message_ids: [id] };
    expect(unread_msgs?.streams).toContainEqual(row);
  });

  test('waiting events about the same flag are merged unless other events are between them', async () => {
    const { hamlet, cordelia } = chat.people;
    const [first, second] = [await send(hamlet), await send(hamlet)];
    const setOne = (id: MessageId, op: 'add' | 'remove', flag: 'read' | 'starred' = 'starred') =>
      cordelia.client.messages.setFlag({ messages: [id], op, flag });
    const queue = await listen(cordelia);
    await setOne(second, 'add');
    await setOne(first, 'add');
    await setOne(first, 'remove');
    await setOne(first, 'add');
    await send(hamlet);
    await setOne(second, 'remove');
    await setOne(first, 'add', 'read');
    await setOne(second, 'add', 'read');
    await setOne(first, 'remove', 'read');
    await setOne(second, 'remove', 'read');
    await setOne(first, 'remove');
    const events = await queue.all();
    const shown = events.map(({ type, op, flag, messages }) =>
      type === 'message' ? type : [op, flag, messages],
    );
    expect(shown).toEqual([
      ['add', 'starred', [second, first]],
      ['remove', 'starred', [first]],
      ['add', 'starred', [first]],
      'message',
      ['remove', 'starred', [second]],
      ['add', 'read', [first, second]],
      ['remove', 'read', [first]],
      ['remove', 'read', [second]],
      ['remove', 'starred', [first]],
    ]);
  });

  test('a merged event has the id of its last part, so that acknowledging it ends both', async () => {
    const { hamlet, cordelia } = chat.people;
    const ids = [await send(hamlet), await send(hamlet)];
    const queue = await listen(cordelia);
    for (const id of ids)
      await cordelia.client.messages.setFlag({ messages: [id], op: 'add', flag: 'read' });
    expect(await queue.all()).toMatchObject([{ messages: ids }]);
    expect(await queue.all()).toEqual([]);
  });

  test('the event about unread messages describes each like unread_msgs', async () => {
    const { hamlet, cordelia, iago } = chat.people;
    const { stream_id } = await hamlet.client.channels.id({ stream: 'denmark' });
    const topic = { stream_id, topic: '', visibility_policy: 1 } as const;
    await cordelia.client.userTopics.set(topic);
    const muted = await send(hamlet, 'denmark', '');
    const mention = await send(hamlet, 'denmark', 'plans', '@**all** hear');
    const letter = await direct(hamlet, cordelia);
    const group = await direct(hamlet, cordelia, iago);
    const own = await direct(cordelia, cordelia);
    const messages = [muted, mention, letter, group, own];
    await cordelia.client.messages.setFlag({ messages, op: 'add', flag: 'read' });
    const [queue, older] = [
      await listen(cordelia, { client_capabilities: { empty_topic_name: true } }),
      await listen(cordelia),
    ];
    await cordelia.client.messages.setFlag({ messages, op: 'remove', flag: 'read' });
    const details = {
      [muted]: { type: 'stream', stream_id, topic: '', unmuted_stream_msg: false },
      [mention]: {
        type: 'stream',
        stream_id,
        topic: 'plans',
        unmuted_stream_msg: true,
        mentioned: true,
      },
      [letter]: { type: 'private', user_ids: [hamlet.user.id] },
      [group]: { type: 'private', user_ids: [iago.user.id, hamlet.user.id] },
      [own]: { type: 'private', user_ids: [] },
    };
    expect((await queue.all())[0]?.['message_details']).toEqual(details);
    expect((await older.all())[0]).toMatchObject({
      message_details: { [muted]: { topic: 'general chat' } },
    });
  });
});
