import type { ChannelId, MessageId } from '@bellhop/protocol';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { addNumberedChannel } from '../../../resources/channels/channels.fixture.ts';
import { type Person, startTestChat, type TestChat } from '../../../test-chat.fixture.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startTestChat();
});
afterAll(() => chat[Symbol.asyncDispose]());

const newChannel = () => addNumberedChannel(chat, [chat.people.hamlet, chat.people.cordelia]);
const sendTo = async (to: string, count: number, topic = 'plans'): Promise<MessageId[]> => {
  const ids: MessageId[] = [];
  for (let sent = 0; sent < count; sent++)
    ids.push(
      (await chat.people.hamlet.client.messages.send({ type: 'channel', to, topic, content: 'x' }))
        .id,
    );
  return ids;
};
const mark = ({ client }: Person, op: 'add' | 'remove', messages: readonly MessageId[]) =>
  client.messages.setFlag({ op, flag: 'read', messages: [...messages] });
/** The rows of a person for messages of a channel. */
async function rowsOf({ user }: Person, ids: readonly MessageId[]) {
  const { rows } = await sql<{ id: MessageId; flags: number }>`
    select message_id as id, flags from user_message
    where user_id = ${user.id} and message_id = any(${ids}::bigint[])
    order by message_id`.execute(chat.server.app.db.kysely);
  return rows;
}
async function unreadOf({ client }: Person, id: ChannelId) {
  const { unread_msgs } = await client.queues.register();
  return unread_msgs?.streams
    .filter(({ stream_id }) => stream_id === id)
    .flatMap(({ unread_message_ids }) => unread_message_ids);
}

/** A channel with so many messages, and another to which as many were moved from there. */
async function halfMoved(count: number) {
  const from = await newChannel();
  const to = await newChannel();
  const moved = await sendTo(from.name, count, 'away');
  const stay = await sendTo(from.name, count);
  await chat.people.iago.client.messages.edit({
    message_id: moved[0] ?? 0,
    stream_id: to.id,
    propagate_mode: 'change_all',
    send_notification_to_new_thread: false,
    send_notification_to_old_thread: false,
  });
  return { from, to, moved, stay };
}

test('a person who reads all messages of a channel has no rows for them', async () => {
  const { cordelia } = chat.people;
  const { name, id } = await newChannel();
  const ids = await sendTo(name, 40);
  expect(await rowsOf(cordelia, ids)).toEqual([]);
  expect(await unreadOf(cordelia, id)).toEqual(ids);
  await mark(cordelia, 'add', ids);
  expect(await rowsOf(cordelia, ids)).toEqual([]);
  expect(await unreadOf(cordelia, id)).toEqual([]);
});

test('a person who leaves some messages of a channel unread has rows for about these only, in whatever order they read', async () => {
  const { cordelia } = chat.people;
  const { name, id } = await newChannel();
  const ids = await sendTo(name, 60);
  const left = ids.filter((_id, at) => at % 5 === 0);
  const read = ids.filter((_id, at) => at % 5 !== 0);
  for (const part of [read.slice(20), read.slice(0, 20), read]) await mark(cordelia, 'add', part);
  expect(await unreadOf(cordelia, id)).toEqual(left);
  expect((await rowsOf(cordelia, ids)).length).toBeLessThanOrEqual(left.length + 1);
});

test('many messages that are read at once, and not those before them, have a row each', async () => {
  const { cordelia } = chat.people;
  const { name, id } = await newChannel();
  const left = await sendTo(name, 30);
  const read = await sendTo(name, 20);
  await mark(cordelia, 'add', read);
  expect(await unreadOf(cordelia, id)).toEqual(left);
  expect(await rowsOf(cordelia, [...left, ...read])).toEqual(
    read.map((one) => ({ id: one, flags: 1 })),
  );
});

test('many messages are read at once while somebody else changes a subscription to one of their channels', async () => {
  const { cordelia } = chat.people;
  const [changed, other] = [await newChannel(), await newChannel()];
  const [there, elsewhere] = [await sendTo(changed.name, 20), await sendTo(other.name, 20)];
  await chat.server.app.db.transaction(async (tx) => {
    await sql`select from subscription where user_id = ${cordelia.user.id}
      and channel_id = ${changed.id} for update`.execute(tx);
    await mark(cordelia, 'add', [...there, ...elsewhere]);
  });
  for (const { id } of [changed, other]) expect(await unreadOf(cordelia, id)).toEqual([]);
  expect((await rowsOf(cordelia, there)).length).toBe(there.length);
});

test('a message that is marked as unread again, starred or mentions somebody keeps what is said about it', async () => {
  const { cordelia, hamlet } = chat.people;
  const { name, id } = await newChannel();
  const [first, second, ...ids] = await sendTo(name, 40);
  if (first === undefined || second === undefined) throw new Error('nothing was sent');
  const ask = {
    type: 'channel',
    to: name,
    topic: 'plans',
    content: '@**Cordelia** @**all**',
  } as const;
  const mention = (await hamlet.client.messages.send(ask)).id;
  await mark(cordelia, 'add', [first, second, ...ids, mention]);
  await mark(cordelia, 'remove', [second]);
  await cordelia.client.messages.setFlag({ op: 'add', flag: 'starred', messages: [first] });
  const more = await sendTo(name, 40);
  await mark(cordelia, 'add', more);
  expect(await unreadOf(cordelia, id)).toEqual([second]);
  const flags = async (message_id: MessageId) =>
    (await cordelia.client.messages.fetchOne({ message_id })).message.flags;
  expect(await flags(first)).toEqual(['read', 'starred']);
  expect(await flags(second)).toEqual([]);
  expect(await flags(mention)).toEqual([
    'read',
    'mentioned',
    'stream_wildcard_mentioned',
    'wildcard_mentioned',
  ]);
  expect((await rowsOf(cordelia, [...ids, ...more])).length).toBe(0);
});

test('messages moved to another channel are read with those of the channel they came from', async () => {
  const { cordelia } = chat.people;
  const { from, to, moved, stay } = await halfMoved(20);
  await mark(cordelia, 'add', stay);
  expect(await unreadOf(cordelia, to.id)).toEqual(moved);
  expect(await unreadOf(cordelia, from.id)).toEqual([]);
  await mark(cordelia, 'add', moved);
  expect(await unreadOf(cordelia, to.id)).toEqual([]);
  expect(await rowsOf(cordelia, [...moved, ...stay])).toEqual([]);
});

test('messages that were moved to another channel stay unread for a person who leaves the channel they came from', async () => {
  const { cordelia } = chat.people;
  const { from, to, moved, stay } = await halfMoved(3);
  await cordelia.client.subscriptions.remove({ subscriptions: [from.name] });
  expect(await unreadOf(cordelia, to.id)).toEqual(moved);
  expect(await unreadOf(cordelia, from.id)).toEqual([]);
  expect(
    (await cordelia.client.messages.fetchOne({ message_id: stay[0] ?? 0 })).message.flags,
  ).toEqual(['read']);
});

test('a message with a lower id that is sent later than others were read is unread', async () => {
  const { cordelia, hamlet } = chat.people;
  const { name, id } = await newChannel();
  const { db } = chat.server.app;
  // Takes ids, as a message that is being sent does.
  const { rows } = await sql<{ id: number }>`
    select setval('message_id_seq', nextval('message_id_seq') + 100) as id`.execute(db.kysely);
  const high = rows[0]?.id ?? 0;
  const ids = await sendTo(name, 20);
  await mark(cordelia, 'add', ids);
  await sql`select setval('message_id_seq', ${high - 50})`.execute(db.kysely);
  const [late] = await sendTo(name, 1);
  await sql`select setval('message_id_seq', ${(ids.at(-1) ?? 0) + 1})`.execute(db.kysely);
  expect(late).toBeLessThan(ids[0] ?? 0);
  expect(await unreadOf(cordelia, id)).toEqual([late]);
  expect(await unreadOf(hamlet, id)).toContain(late);
});
