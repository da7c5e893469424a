import type { ChannelId, MessageId } from '@bellhop/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { type Person, startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { addChannel } from '../channels/channels.fixture.ts';
import { listen } from '../queues/listen.fixture.ts';

const now = 1_800_000_000;
let chat: TestChat;
let channel: ChannelId;
let topics = 0;
let topic: string;
beforeAll(async () => {
  chat = await startTestChat({ now: () => now });
  const { hamlet, cordelia, iago, polonius } = chat.people;
  const subscribers = [hamlet, cordelia, iago, polonius];
  channel = await addChannel(chat, { name: 'Denmark', subscribers });
});
beforeEach(() => {
  topic = `topic ${++topics}`;
});
afterAll(() => chat[Symbol.asyncDispose]());

const send = async (from: Person, content = 'x', into = topic) => {
  const message = { type: 'channel', to: 'Denmark', topic: into, content } as const;
  return (await from.client.messages.send(message)).id;
};
const moved = async (by: Person, id: MessageId, fields: Record<string, string>) =>
  expect((await chat.ask(by, `PATCH /messages/${id}`, fields)).status).toBe(200);

describe('the notice that a topic is resolved', () => {
  const noticeOf = async ({ client }: Person) => {
    const narrow = [{ operator: 'topic', operand: `\u2714 ${topic}` }];
    const ask = { anchor: 'newest', num_before: 1, narrow } as const;
    return (await client.messages.fetch(ask)).messages.at(-1);
  };

  test('stays unread where resolved_topic_notice_auto_read_policy says so', async () => {
    const { hamlet, cordelia, iago, polonius } = chat.people;
    await polonius.client.settings.update({ resolved_topic_notice_auto_read_policy: 'never' });
    await iago.client.settings.update({ resolved_topic_notice_auto_read_policy: 'always' });
    const id = await send(cordelia);
    for (const one of [hamlet, iago])
      await one.client.userTopics.set({ stream_id: channel, topic, visibility_policy: 3 });
    const resolve = { topic: `\u2714 ${topic}`, propagate_mode: 'change_all' };
    await moved(cordelia, id, resolve);
    const flags = async (one: Person) => (await noticeOf(one))?.flags;
    expect(await flags(hamlet), 'follows the topic').toEqual([]);
    expect(await flags(polonius), 'never').toEqual([]);
    expect(await flags(iago), 'always').toEqual(['read']);
    const other = await chat.addPerson(`reader of ${topic}`);
    await other.client.subscriptions.add({ subscriptions: [{ name: 'Denmark' }] });
    const late = await send(cordelia);
    await moved(cordelia, late, { topic: `\u2714 ${topic}` });
    expect(await flags(other), 'except_followed').toEqual(['read']);
  });
});

describe('the policies that users have for a topic', () => {
  const set = ({ client }: Person, policy: 0 | 1 | 2 | 3, of = topic) =>
    client.userTopics.set({ stream_id: channel, topic: of, visibility_policy: policy });
  const policies = async ({ client }: Person) => {
    const { user_topics } = await client.queues.register({ fetch_event_types: ['user_topic'] });
    return (user_topics ?? [])
      .filter(({ topic_name }) => topic_name.toLowerCase().endsWith(topic))
      .map(({ topic_name, visibility_policy }) => [topic_name, visibility_policy]);
  };
  const all = (to: string) => ({
    topic: to,
    propagate_mode: 'change_all',
    send_notification_to_new_thread: 'false',
  });

  test('move with all its messages, and stay where some messages stay', async () => {
    const { hamlet, cordelia, iago } = chat.people;
    const [first, second] = [await send(iago), await send(iago)];
    await set(hamlet, 3);
    await set(cordelia, 1, topic.toUpperCase());
    const queue = await listen(cordelia, { event_types: ['muted_topics'] });
    await moved(iago, second, { ...all(`part of ${topic}`), propagate_mode: 'change_one' });
    expect(await policies(hamlet)).toEqual([[topic, 3]]);
    await moved(iago, first, all(`new ${topic}`));
    expect(await policies(hamlet)).toEqual([[`new ${topic}`, 3]]);
    expect(await policies(cordelia)).toEqual([[`new ${topic}`, 1]]);
    expect((await queue.events('muted_topics')).at(-1)).toMatchObject({
      muted_topics: [['Denmark', `new ${topic}`, now]],
    });
    await moved(iago, first, all(`NEW ${topic}`));
    expect(await policies(cordelia)).toEqual([[`new ${topic}`, 1]]);
  });

  test('merge with those of a topic that has messages: the more visible one wins', async () => {
    const { hamlet, cordelia, iago, polonius } = chat.people;
    const other = `other ${topic}`;
    const id = await send(iago);
    await send(iago, 'x', other);
    await set(hamlet, 1);
    await set(hamlet, 2, other);
    await set(cordelia, 3);
    await set(cordelia, 1, other);
    await set(polonius, 1, other);
    const queue = await listen(cordelia, { event_types: ['user_topic'] });
    await moved(iago, id, all(other));
    expect(await policies(hamlet)).toEqual([[other, 2]]);
    expect(await policies(cordelia)).toEqual([[other, 3]]);
    expect(await policies(polonius), 'the moved messages were visible').toEqual([]);
    expect(await queue.events('user_topic')).toMatchObject([
      { stream_id: channel, topic_name: topic, visibility_policy: 0, last_updated: now },
      { stream_id: channel, topic_name: other, visibility_policy: 3, last_updated: now },
    ]);
  });

  test('end for users who cannot read the channel that the topic moves to', async () => {
    const { hamlet, cordelia, iago } = chat.people;
    const cellar = { name: `cellar of ${topic}`, invite_only: true };
    const to = await addChannel(chat, { ...cellar, subscribers: [hamlet, iago] });
    const id = await send(iago);
    for (const one of [hamlet, cordelia]) await set(one, 3);
    await moved(iago, id, { stream_id: String(to), ...all(topic) });
    expect(await policies(hamlet)).toEqual([[topic, 3]]);
    expect(await policies(cordelia)).toEqual([]);
  });
});
