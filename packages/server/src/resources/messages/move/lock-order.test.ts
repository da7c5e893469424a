import type { ChannelId, MessageId } from '@bellhop/protocol';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { startTestChat, type TestChat } from '../../../test-chat.fixture.ts';
import { waitingForLocks } from '../../../waiting-for-locks.fixture.ts';
import { addChannel } from '../../channels/channels.fixture.ts';

let chat: TestChat;
let channel: ChannelId;
let away: ChannelId;
beforeAll(async () => {
  chat = await startTestChat();
  const { iago, hamlet, polonius } = chat.people;
  channel = await addChannel(chat, { name: 'Denmark', subscribers: [iago, hamlet, polonius] });
  away = await addChannel(chat, { name: 'England', subscribers: [iago, hamlet, polonius] });
});
afterAll(() => chat[Symbol.asyncDispose]());

/** A topic of three messages. */
async function start(topic: string): Promise<[MessageId, MessageId, MessageId]> {
  const send = async () => {
    const message = { type: 'channel', to: channel, topic, content: 'x' } as const;
    return (await chat.people.hamlet.client.messages.send(message)).id;
  };
  return [await send(), await send(), await send()];
}

/** Which of the messages a change has locked while it waits for the oldest one, which another change has. */
async function lockedWhileWaiting(
  [oldest, ...others]: readonly [MessageId, ...MessageId[]],
  change: () => Promise<unknown>,
): Promise<MessageId[]> {
  const { db } = chat.server.app;
  let changing: Promise<unknown> | undefined;
  const free = await db.transaction(async (tx) => {
    await sql`select from message where id = ${oldest} for update`.execute(tx);
    changing = change();
    await expect.poll(() => waitingForLocks(chat), { timeout: 10_000 }).toBe(1);
    const { rows } = await sql<{ id: MessageId }>`select id from message
      where id = any(${others}::bigint[]) for update skip locked`.execute(tx);
    return rows.map(({ id }) => id);
  });
  await changing;
  return others.filter((id) => !free.includes(id));
}

test('two users who move a whole topic from different messages at once do not block each other', async () => {
  const { client } = chat.people.iago;
  const ids = await start('plans');
  const move = { message_id: ids[2], topic: 'deeds', propagate_mode: 'change_all' } as const;
  expect(await lockedWhileWaiting(ids, () => client.messages.edit(move))).toEqual([]);
  const { message } = await client.messages.fetchOne({ message_id: ids[0] });
  expect(message.subject).toBe('deeds');
});

test('a user without the right to move a topic locks none of its messages', async () => {
  const { polonius } = chat.people;
  const [oldest, , newest] = await start('secrets');
  const { db } = chat.server.app;
  await db.transaction(async (tx) => {
    await sql`select from message where id = ${oldest} for update`.execute(tx);
    // It would wait for this transaction, which waits for it.
    const all = { message_id: newest, propagate_mode: 'change_all' } as const;
    await expect(polonius.client.messages.edit({ ...all, stream_id: away })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
  });
});

test('deleting a topic and moving it at once do not block each other', async () => {
  const { client } = chat.people.iago;
  const ids = await start('rumours');
  const remove = { stream_id: channel, topic_name: 'rumours' };
  expect(await lockedWhileWaiting(ids, () => client.channels.deleteTopic(remove))).toEqual([]);
  await expect(client.messages.fetchOne({ message_id: ids[0] })).rejects.toMatchObject({
    message: 'Invalid message(s)',
  });
});
