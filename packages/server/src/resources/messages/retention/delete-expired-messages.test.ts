import type { ChannelId } from '@bellhop/protocol';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import type { Tx } from '../../../engine/call.ts';
import { type Person, startTestChat, type TestChat } from '../../../test-chat.fixture.ts';
import { waitingForLocks } from '../../../waiting-for-locks.fixture.ts';
import { addChannel, firstMessageOf } from '../../channels/channels.fixture.ts';
import { listen } from '../../queues/listen.fixture.ts';
import { resetRealmSettings } from '../../realms/realm-settings.fixture.ts';
import { deleteExpired } from './delete-expired-messages.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startTestChat();
});
beforeEach(() => resetRealmSettings(chat, {}));
afterAll(() => chat[Symbol.asyncDispose]());

let count = 0;
async function newChannel(message_retention_days: number | null) {
  const name = `channel ${++count}`;
  const id = await addChannel(chat, { name, subscribers: [chat.people.hamlet] });
  await chat.server.app.db.kysely
    .updateTable('channel')
    .set({ message_retention_days })
    .where('id', '=', id)
    .execute();
  return { id, name };
}
const send = async (to: string, content = 'x', { client }: Person = chat.people.hamlet) =>
  (await client.messages.send({ type: 'channel', to, topic: 't', content })).id;
/** Moves the messages of a channel, or with null the direct messages, back in time. */
const age = async (channel: ChannelId | null, days: number) => {
  await sql`update message set sent_at = sent_at - ${days * 86_400}
    where channel_id is not distinct from ${channel}`.execute(chat.server.app.db.kysely);
};
const run = async () => {
  const { app } = chat.server;
  return deleteExpired(app, await app.realms.byId(chat.realm.id));
};
const contents = async (id: ChannelId) => {
  const { messages } = await chat.people.hamlet.client.messages.fetch({
    anchor: 'newest',
    num_before: 100,
    num_after: 0,
    apply_markdown: false,
    narrow: [{ operator: 'channel', operand: id }],
  });
  return messages.map(({ content }) => content);
};

test('messages older than message_retention_days of their channel are deleted, newer ones stay', async () => {
  const [short, long, unlimited, byRealm] = [
    await newChannel(3),
    await newChannel(30),
    await newChannel(-1),
    await newChannel(null),
  ];
  for (const { id, name } of [short, long, unlimited, byRealm]) {
    await send(name, 'old');
    await age(id, 10);
    await send(name, 'new');
  }
  expect(await run()).toBe(1);
  expect(await contents(short.id)).toEqual(['new']);
  for (const { id } of [long, unlimited, byRealm])
    expect(await contents(id)).toEqual(['old', 'new']);
  expect(await run()).toBe(0);
});

test('message_retention_days of the realm is for direct messages and channels without their own', async () => {
  const [inherits, unlimited] = [await newChannel(null), await newChannel(-1)];
  const { hamlet, cordelia } = chat.people;
  const to = [cordelia.user.id];
  const { id: direct } = await hamlet.client.messages.send({ type: 'direct', to, content: 'x' });
  for (const { name } of [inherits, unlimited]) await send(name, 'old');
  for (const id of [inherits.id, unlimited.id, null]) await age(id, 10);
  await resetRealmSettings(chat, { message_retention_days: 5 });
  await run();
  expect(await contents(inherits.id)).toEqual([]);
  expect(await contents(unlimited.id)).toEqual(['old']);
  await expect(hamlet.client.messages.fetchOne({ message_id: direct })).rejects.toMatchObject({
    message: 'Invalid message(s)',
  });
});

test('the rows of a deleted message are gone, and first_message_id is that of the next one', async () => {
  const { kysely } = chat.server.app.db;
  const { id, name } = await newChannel(1);
  const old = await send(name);
  const { messages, reactions } = chat.people.hamlet.client;
  await reactions.add({ message_id: old, emoji_name: 'tada' });
  await messages.setFlag({ messages: [old], op: 'add', flag: 'starred' });
  await age(id, 2);
  const kept = await send(name);
  expect(await firstMessageOf(chat, id)).toBe(old);
  await run();
  expect(await firstMessageOf(chat, id)).toBe(kept);
  for (const table of ['user_message', 'reaction'] as const)
    expect(
      await kysely.selectFrom(table).select('message_id').where('message_id', '=', old).execute(),
    ).toEqual([]);
});

test('a file that only deleted messages link becomes unclaimed, without a delete_message event', async () => {
  const { hamlet } = chat.people;
  const { id, name } = await newChannel(1);
  const { url } = await hamlet.client.uploads.create({}, { file: new File(['text'], 'a.txt') });
  await send(name, `[file](${url})`);
  await age(id, 2);
  const queue = await listen(hamlet);
  await run();
  expect((await queue.all()).map(({ type }) => type)).toEqual(['attachment', 'stream']);
  const { attachments } = await hamlet.client.attachments.list();
  expect(attachments).toMatchObject([{ messages: [] }]);
});

/** Deletes expired messages while `transaction` has locks: it commits when the deletion waits for one. */
async function runDuring(transaction: (tx: Tx) => Promise<unknown>) {
  const { db } = chat.server.app;
  let running: Promise<number> | undefined;
  await db.transaction(async (tx) => {
    await transaction(tx);
    running = run();
    await expect.poll(() => waitingForLocks(chat), { timeout: 10_000 }).toBe(1);
  });
  return running;
}

test('a message that moves to an unlimited channel while the deletion waits for it is kept', async () => {
  const [from, to] = [await newChannel(1), await newChannel(-1)];
  const id = await send(from.name, 'moves');
  await age(from.id, 2);
  await runDuring((tx) =>
    sql`update message m set channel_id = r.channel_id, recipient_id = r.id from recipient r
      where r.channel_id = ${to.id} and m.id = ${id}`.execute(tx),
  );
  expect(await contents(to.id)).toEqual(['moves']);
});

test('a channel that becomes unlimited during the deletion of other messages keeps its own', async () => {
  const [first, second] = [await newChannel(1), await newChannel(1)];
  const blocking = await send(first.name);
  await send(second.name, 'kept');
  for (const { id } of [first, second]) await age(id, 2);
  await runDuring(async (tx) => {
    await sql`select from message where id = ${blocking} for update`.execute(tx);
    await tx
      .updateTable('channel')
      .set({ message_retention_days: -1 })
      .where('id', '=', second.id)
      .execute();
  });
  expect(await contents(first.id)).toEqual([]);
  expect(await contents(second.id)).toEqual(['kept']);
});

test('more messages than one batch are deleted in one run, for all their recipients', async () => {
  const { kysely } = chat.server.app.db;
  const { id, name } = await newChannel(1);
  await send(name);
  await sql`insert into message (realm_id, sender_id, recipient_id, channel_id, topic, content,
      rendered_content, sent_at, client)
    select realm_id, sender_id, recipient_id, channel_id, topic, content, rendered_content, sent_at,
      client from message, generate_series(1, 2500) where channel_id = ${id}`.execute(kysely);
  await sql`insert into user_message (realm_id, user_id, message_id)
    select realm_id, sender_id, id from message where channel_id = ${id}
    on conflict do nothing`.execute(kysely);
  const received = () =>
    kysely
      .selectFrom('user_message')
      .where('user_id', '=', chat.people.hamlet.user.id)
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .executeTakeFirstOrThrow();
  const { count: before } = await received();
  await age(id, 2);
  expect(await run()).toBe(2501);
  const { count: after } = await received();
  expect(Number(before) - Number(after)).toBe(2501);
  expect(await firstMessageOf(chat, id)).toBeNull();
});
