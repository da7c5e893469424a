import type { ChannelId } from '@bellhop/protocol';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { addChannel } from '../channels/channels.fixture.ts';
import { listen } from '../queues/listen.fixture.ts';

const now = 1_800_000_000;
let chat: TestChat;
beforeAll(async () => {
  chat = await startTestChat({ now: () => now });
  await addChannel(chat, { name: 'verona', subscribers: [chat.people.hamlet] });
  await set('verona', 'noise', 1);
});
afterAll(() => chat[Symbol.asyncDispose]());

let name = '';
let stream_id: ChannelId;
beforeEach(async () => {
  const { hamlet, cordelia } = chat.people;
  name = `channel ${expect.getState().currentTestName}`;
  stream_id = await addChannel(chat, { name, subscribers: [hamlet, cordelia] });
  await set(name, 'Muted', 1);
  await set(name, 'followed', 3);
});

async function set(stream: string, topic: string, visibility_policy: 1 | 2 | 3): Promise<void> {
  const { client } = chat.people.hamlet;
  const { stream_id: id } = await client.channels.id({ stream });
  await client.userTopics.set({ stream_id: id, topic, visibility_policy });
}
const archive = () => chat.people.iago.client.channels.archive({ stream_id });
const unarchive = () => chat.people.iago.client.channels.update({ stream_id, is_archived: false });

const modern = { client_capabilities: { archived_channels: true } };
const topicsFor = async (more: object) => {
  const fetch_event_types = ['user_topic'];
  const { client } = chat.people.hamlet;
  const { user_topics } = await client.queues.register({ fetch_event_types, ...more });
  return user_topics?.filter((one) => one.stream_id === stream_id).map((one) => one.topic_name);
};
const mutedFor = async (more: object) => {
  const { client } = chat.people.hamlet;
  const fetch_event_types = ['muted_topics'];
  return (await client.queues.register({ fetch_event_types, ...more })).muted_topics;
};

test('only clients with archived_channels get the policies of archived channels', async () => {
  await archive();
  expect(await topicsFor(modern)).toEqual(['followed', 'Muted']);
  expect(await topicsFor({})).toEqual([]);
  const other = ['verona', 'noise', now];
  expect(await mutedFor(modern)).toEqual([other, [name, 'Muted', now]]);
  expect(await mutedFor({})).toEqual([other]);
});

test('archiving removes the policies for other clients, and unarchiving brings them back', async () => {
  const { hamlet, cordelia } = chat.people;
  const event_types = ['user_topic'];
  const queue = await listen(hamlet, { event_types });
  const queues = await Promise.all([
    listen(hamlet, { event_types, ...modern }),
    listen(cordelia, { event_types }),
  ]);
  const topic = { type: 'user_topic', stream_id, last_updated: now };
  await archive();
  expect(await queue.all()).toEqual([
    { ...topic, id: expect.any(Number), topic_name: 'followed', visibility_policy: 0 },
    { ...topic, id: expect.any(Number), topic_name: 'Muted', visibility_policy: 0 },
  ]);
  await unarchive();
  expect(await queue.all()).toMatchObject([
    { ...topic, topic_name: 'followed', visibility_policy: 3 },
    { ...topic, topic_name: 'Muted', visibility_policy: 1 },
  ]);
  for (const silent of queues) expect(await silent.all()).toEqual([]);
});

test('a queue for muted_topics gets the list that its client may see', async () => {
  const { hamlet } = chat.people;
  const event_types = ['muted_topics'];
  const older = await listen(hamlet, { event_types });
  const newer = await listen(hamlet, { event_types, ...modern });
  await archive();
  const left = ['verona', 'noise', now];
  const muted = [name, 'Muted', now];
  expect(await older.all()).toMatchObject([{ muted_topics: await mutedFor({}) }]);
  await set(name, 'louder', 1);
  expect(await older.all()).toEqual([]);
  const [event] = await newer.all();
  expect(event?.['muted_topics']).toEqual(
    expect.arrayContaining([left, muted, [name, 'louder', now]]),
  );
  await unarchive();
  expect(await older.all()).toMatchObject([{ muted_topics: await mutedFor({}) }]);
  expect(await mutedFor({})).toContainEqual([name, 'louder', now]);
  expect(await newer.all()).toEqual([]);
});

test('a change in an archived channel is an event only for clients with archived_channels', async () => {
  const { hamlet } = chat.people;
  await archive();
  const event_types = ['user_topic'];
  const older = await listen(hamlet, { event_types });
  const newer = await listen(hamlet, { event_types, ...modern });
  await set(name, 'followed', 2);
  expect(await older.all()).toEqual([]);
  expect(await newer.all()).toMatchObject([{ topic_name: 'followed', visibility_policy: 2 }]);
  await unarchive();
  expect(await older.all()).toMatchObject([
    { topic_name: 'followed', visibility_policy: 2 },
    { topic_name: 'Muted', visibility_policy: 1 },
  ]);
});
