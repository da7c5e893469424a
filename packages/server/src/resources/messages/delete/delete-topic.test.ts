import type { ChannelId } from '@bellhop/protocol';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { type Person, startTestChat, type TestChat } from '../../../test-chat.fixture.ts';
import { addChannel, setChannel, subscribe } from '../../channels/channels.fixture.ts';
import { listen } from '../../queues/listen.fixture.ts';

let chat: TestChat;
let id: ChannelId;
let name = '';
let count = 0;
beforeAll(async () => {
  chat = await startTestChat();
});
afterAll(() => chat[Symbol.asyncDispose]());
const renew = async (settings: Partial<Parameters<typeof addChannel>[1]> = {}) => {
  name = `channel ${++count}`;
  const { hamlet, iago } = chat.people;
  id = await addChannel(chat, { name, subscribers: [hamlet, iago], ...settings });
};
beforeEach(() => renew());

const send = async (topic: string) => {
  const message = { type: 'channel', to: name, topic, content: 'x' } as const;
  return (await chat.people.hamlet.client.messages.send(message)).id;
};
const remove = ({ client }: Person, topic_name: string) =>
  client.channels.deleteTopic({ stream_id: id, topic_name });
const topicsOf = async ({ client }: Person) =>
  (await client.channels.topics({ stream_id: id, allow_empty_topic_name: true })).topics.map(
    (topic) => topic.name,
  );

test('delete_topic deletes all messages of the topic in any letter case, with one event for its readers', async () => {
  const { iago, hamlet, polonius } = chat.people;
  const messages = [await send('Plans'), await send('PLANS')];
  await send('other');
  await send('');
  const client_capabilities = { bulk_message_deletion: true };
  const queues = [
    await listen(hamlet, { client_capabilities }),
    await listen(polonius, { client_capabilities }),
  ];
  expect(await remove(iago, ' plans')).toEqual({ complete: true });
  expect(await topicsOf(iago)).toEqual(['', 'other']);
  const events = queues.map((queue) => queue.events('delete_message'));
  expect(await Promise.all(events)).toMatchObject([
    [{ message_ids: messages, message_type: 'stream', stream_id: id, topic: 'plans' }],
    [],
  ]);
  expect(await remove(iago, 'general chat')).toEqual({ complete: true });
  expect(await remove(iago, 'no such topic')).toEqual({ complete: true });
  expect(await topicsOf(iago)).toEqual(['other']);
});

test('delete_topic requires can_delete_any_message_group of the realm or the channel', async () => {
  const { shiva, hamlet, polonius } = chat.people;
  await send('plans');
  const insufficient = { code: 'BAD_REQUEST', message: 'Insufficient permission' };
  for (const caller of [shiva, hamlet])
    await expect(remove(caller, 'plans')).rejects.toMatchObject(insufficient);
  await expect(remove(polonius, 'plans')).rejects.toMatchObject({ message: 'Invalid channel ID' });
  await setChannel(chat, name, { can_delete_any_message_group: 'role:members' });
  expect(await remove(hamlet, 'plans')).toEqual({ complete: true });
});

test('delete_topic leaves the messages of protected history that the caller never received', async () => {
  const { desdemona, hamlet } = chat.people;
  await renew({ invite_only: true, history_public_to_subscribers: false });
  await send('plans');
  await subscribe(chat, id, desdemona.user.id);
  await send('plans');
  const queue = await listen(hamlet);
  expect(await remove(desdemona, 'plans')).toEqual({ complete: true });
  expect(await queue.events('delete_message')).toHaveLength(1);
  expect(await topicsOf(hamlet)).toEqual(['plans']);
  expect(await topicsOf(desdemona)).toEqual([]);
});

test('delete_topic refuses an archived channel, and a private one that the caller administers but may not read', async () => {
  const { desdemona } = chat.people;
  await renew({ is_archived: true });
  await expect(remove(desdemona, 'plans')).rejects.toMatchObject({
    message: 'Messages of an archived channel cannot be changed.',
  });
  await renew({ invite_only: true });
  await expect(remove(desdemona, 'plans')).rejects.toMatchObject({
    message: 'Channel content access is required.',
  });
});
