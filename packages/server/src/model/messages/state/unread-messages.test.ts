import { expect, test } from 'vitest';

import { addChannel } from '../../../resources/channels/channels.fixture.ts';
import { startTestChat } from '../../../test-chat.fixture.ts';

test('a private channel that its subscriber leaves has no unread messages, and its starred ones stay starred', async () => {
  await using chat = await startTestChat();
  const { hamlet, cordelia } = chat.people;
  const subscribers = [hamlet, cordelia];
  await addChannel(chat, { name: 'council', subscribers, invite_only: true });
  const message = { type: 'channel', to: 'council', topic: 'plans', content: 'psst' } as const;
  const { id } = await hamlet.client.messages.send(message);
  await cordelia.client.messages.setFlag({ op: 'add', flag: 'starred', messages: [id] });
  const before = await cordelia.client.queues.register();
  expect(before.unread_msgs?.streams).toMatchObject([{ unread_message_ids: [id] }]);
  await cordelia.client.subscriptions.remove({ subscriptions: ['council'] });
  const after = await cordelia.client.queues.register();
  expect(after.unread_msgs).toMatchObject({ count: 0, streams: [] });
  // No event removes a star, and the list has IDs only.
  expect(after.starred_messages).toEqual(before.starred_messages);
});

test('count leaves out muted topics and the topics of muted channels that are not unmuted', async () => {
  await using chat = await startTestChat();
  const { hamlet, cordelia } = chat.people;
  const open = await addChannel(chat, { name: 'open', subscribers: [hamlet, cordelia] });
  const muted = await addChannel(chat, { name: 'muted', subscribers: [hamlet, cordelia] });
  await chat.server.app.db.kysely
    .updateTable('subscription')
    .set({ is_muted: true })
    .where('channel_id', '=', muted)
    .execute();
  for (const [to, topic] of [
    ['open', 'shown'],
    ['open', 'hidden'],
    ['muted', 'hidden'],
    ['muted', 'unmuted'],
    ['muted', 'Followed'],
  ] as const)
    await hamlet.client.messages.send({ type: 'channel', to, topic, content: 'x' });
  const set = (stream_id: typeof open, topic: string, visibility_policy: 1 | 2 | 3) =>
    cordelia.client.userTopics.set({ stream_id, topic, visibility_policy });
  await set(open, 'Hidden', 1);
  await set(muted, 'unmuted', 2);
  await set(muted, 'followed', 3);
  const { unread_msgs } = await cordelia.client.queues.register();
  expect(unread_msgs).toMatchObject({ count: 3 });
  expect(unread_msgs?.streams).toHaveLength(5);
});

test('mentions leave out wildcards of muted topics, but no mention of the reader', async () => {
  await using chat = await startTestChat();
  const { iago, cordelia } = chat.people;
  const stream_id = await addChannel(chat, { name: 'open', subscribers: [iago, cordelia] });
  await cordelia.client.userTopics.set({ stream_id, topic: 'Hidden', visibility_policy: 1 });
  const send = async (topic: string, content: string) =>
    (await iago.client.messages.send({ type: 'channel', to: 'open', topic, content })).id;
  const before = await cordelia.client.queues.register();
  const mentions = [
    await send('shown', '@**all**'),
    await send('hidden', `@**${cordelia.user.full_name}**`),
  ];
  const wildcard = await send('hidden', '@**all**');
  const { unread_msgs } = await cordelia.client.queues.register();
  expect(unread_msgs).toMatchObject({ count: 1, mentions });
  const messages = [...mentions, wildcard];
  await cordelia.client.messages.setFlag({ messages, op: 'add', flag: 'read' });
  await cordelia.client.messages.setFlag({ messages, op: 'remove', flag: 'read' });
  const queue = { queue_id: before.queue_id ?? '', last_event_id: before.last_event_id };
  const { events } = await cordelia.client.queues.events({ ...queue, dont_block: true });
  const details = events.at(-1)?.['message_details'] as Record<string, { mentioned?: true }>;
  expect(messages.map((id) => details[id]?.mentioned)).toEqual([true, true, undefined]);
});
