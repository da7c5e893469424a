import type { MessageId } from '@bellhop/protocol';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { type Person, startTestChat, type TestChat } from '../../../test-chat.fixture.ts';
import { waitingForLocks } from '../../../waiting-for-locks.fixture.ts';
import { addNumberedChannel } from '../../channels/channels.fixture.ts';
import { listen, type TestQueue } from '../../queues/listen.fixture.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startTestChat();
});
afterAll(() => chat[Symbol.asyncDispose]());

const newChannel = () => addNumberedChannel(chat, [chat.people.hamlet, chat.people.cordelia]);
const send = async (to: string, content = 'x') =>
  (await chat.people.hamlet.client.messages.send({ type: 'channel', to, topic: 'plans', content }))
    .id;
const flagsOf = async ({ client }: Person, message_id: MessageId) =>
  (await client.messages.fetchOne({ message_id })).message.flags;
const mark = (flag: 'read' | 'starred', messages: readonly MessageId[]) =>
  chat.people.cordelia.client.messages.setFlag({ op: 'add', flag, messages: [...messages] });
const edit = (message_id: MessageId, content: string) =>
  chat.people.hamlet.client.messages.edit({ message_id, content });
const leave = (name: string) =>
  chat.people.cordelia.client.subscriptions.remove({ subscriptions: [name] });
/** What the last event says of the flags of a message. */
const lastFlags = async (queue: TestQueue) =>
  (await queue.events('update_message')).map((event) => event['flags']).at(-1);

/** Starts requests one after the other while no change gets a place in the log, and then lets them go on. */
async function inTurn(...requests: readonly (() => Promise<unknown>)[]): Promise<void> {
  const started: Promise<unknown>[] = [];
  await chat.server.app.db.transaction(async (tx) => {
    await sql`select from event_counter for update`.execute(tx);
    for (const request of requests) {
      started.push(request());
      await expect.poll(() => waitingForLocks(chat), { timeout: 10_000 }).toBe(started.length);
    }
  });
  await Promise.all(started);
}
const deadlocks = async () => {
  const { rows } = await sql<{ count: number }>`select deadlocks::integer as count
    from pg_stat_database where datname = current_database()`.execute(chat.server.app.db.kysely);
  return rows[0]?.count;
};

/** Messages of a channel, the last of which makes read_through move when it is read. */
async function sendUntilMoving(name: string): Promise<MessageId[]> {
  const ids: MessageId[] = [];
  do ids.push(await send(name));
  while ((ids.at(-1) ?? 0) % 16 !== 0 || ids.length < 3);
  return ids;
}

test('a message that is starred or edited while its reader leaves is read', async () => {
  const { cordelia } = chat.people;
  const starred = await newChannel();
  const first = await send(starred.name);
  await inTurn(
    () => leave(starred.name),
    () => mark('starred', [first]),
  );
  expect(await flagsOf(cordelia, first)).toEqual(['read', 'starred']);
  const edited = await newChannel();
  const second = await send(edited.name);
  await inTurn(
    () => leave(edited.name),
    () => edit(second, '@**Cordelia**'),
  );
  expect(await flagsOf(cordelia, second)).toEqual(['read', 'mentioned']);
});

const wildcard = ['stream_wildcard_mentioned', 'wildcard_mentioned'];
test.each([
  ['x', '@**all**', wildcard],
  ['@**all**', 'x', []],
])('an edit of %s to %s and a reader at the same time both count', async (from, to, flags) => {
  const { cordelia } = chat.people;
  const { name } = await newChannel();
  const [editedFirst, readFirst] = [await send(name, from), await send(name, from)];
  const queue = await listen(cordelia);
  await inTurn(
    () => edit(editedFirst, to),
    () => mark('read', [editedFirst]),
  );
  expect(await flagsOf(cordelia, editedFirst)).toEqual(['read', ...flags]);
  await inTurn(
    () => mark('read', [readFirst]),
    () => edit(readFirst, to),
  );
  expect(await flagsOf(cordelia, readFirst)).toEqual(['read', ...flags]);
  expect(await lastFlags(queue)).toEqual(['read', ...flags]);
});

test('a message that is edited while read_through moves beyond it stays read, and nobody waits for long', async () => {
  const { cordelia } = chat.people;
  const before = await deadlocks();
  for (const edited of [0, -1]) {
    const { name } = await newChannel();
    const ids = await sendUntilMoving(name);
    await mark('read', ids.slice(0, -1));
    const id = ids.at(edited) as MessageId;
    await inTurn(
      () => mark('read', ids.slice(-1)),
      () => edit(id, '@**Cordelia**'),
    );
    expect(await flagsOf(cordelia, id)).toEqual(['read', 'mentioned']);
    await inTurn(
      () => edit(id, 'y'),
      () => mark('read', ids.slice(-1)),
    );
    expect(await flagsOf(cordelia, id)).toEqual(['read']);
  }
  expect(await deadlocks()).toBe(before);
});

test('a message that comes before its reader leaves is in the event that says what was read', async () => {
  const { cordelia } = chat.people;
  const { name } = await newChannel();
  const queue = await listen(cordelia);
  let sent: MessageId | undefined;
  await inTurn(
    async () => {
      sent = await send(name);
    },
    () => leave(name),
  );
  expect(await queue.events('update_message_flags')).toMatchObject([{ messages: [sent] }]);
  expect(await flagsOf(cordelia, sent as MessageId)).toEqual(['read']);
});

/** By default so many messages that those read at once get no rows. */
async function sendMany(name: string, count = 20): Promise<MessageId[]> {
  const ids: MessageId[] = [];
  while (ids.length < count) ids.push(await send(name));
  return ids;
}

test('a message with a lower id that comes while many later ones are read is unread', async () => {
  const { cordelia } = chat.people;
  const { name } = await newChannel();
  const { kysely } = chat.server.app.db;
  // Takes ids, as a message that is being sent does.
  const { rows } = await sql<{ id: number }>`
    select setval('message_id_seq', nextval('message_id_seq') + 100) as id`.execute(kysely);
  const ids = await sendMany(name);
  let late: MessageId | undefined;
  await sql`select setval('message_id_seq', ${(rows[0]?.id ?? 0) - 50})`.execute(kysely);
  await inTurn(
    async () => {
      late = await send(name);
    },
    () => mark('read', ids),
  );
  await sql`select setval('message_id_seq', ${(ids.at(-1) ?? 0) + 1})`.execute(kysely);
  expect(late).toBeLessThan(ids[0] ?? 0);
  expect(await flagsOf(cordelia, late as MessageId)).toEqual([]);
  for (const id of ids) expect(await flagsOf(cordelia, id)).toEqual(['read']);
});

test('a message that is deleted while it is read with many others, and not those before them, leaves no row', async () => {
  const { cordelia, iago } = chat.people;
  const { name } = await newChannel();
  await sendMany(name, 30);
  const ids = await sendMany(name);
  const last = ids.at(-1) as MessageId;
  const queue = await listen(cordelia);
  await inTurn(
    () => chat.ask(iago, `DELETE /messages/${last}`),
    () => mark('read', ids),
  );
  expect(await queue.events('update_message_flags')).toMatchObject([{ messages: ids }]);
  const { rows } = await sql`select message_id from user_message
    where message_id = any(${ids.slice(-2)}::bigint[])`.execute(chat.server.app.db.kysely);
  expect(rows).toEqual([{ message_id: ids.at(-2) }]);
});

/** Statistics of a connection are written once a second. */
const afterStatistics = () => new Promise((resolve) => setTimeout(resolve, 1_200));

test('a deletion and read_through that moves beyond the row of the message do not wait for each other', async () => {
  const { iago } = chat.people;
  const { name } = await newChannel();
  const ids = await sendUntilMoving(name);
  await mark('read', ids.slice(0, 1));
  const before = await deadlocks();
  await inTurn(
    () => mark('read', ids),
    () => chat.ask(iago, `DELETE /messages/${ids[0]}`),
  );
  await afterStatistics();
  expect(await deadlocks()).toBe(before);
});

test('a deletion and a reader who leaves do not wait for each other', async () => {
  const { cordelia, iago } = chat.people;
  const { name } = await newChannel();
  const mention = await send(name, `@**${cordelia.user.full_name}**`);
  const before = await deadlocks();
  await inTurn(
    () => leave(name),
    () => chat.ask(iago, `DELETE /messages/${mention}`),
  );
  await afterStatistics();
  expect(await deadlocks()).toBe(before);
});

test('an edit that mentions somebody and their marking of it as unread do not wait for each other', async () => {
  const { cordelia } = chat.people;
  const { name } = await newChannel();
  const [first, second] = [await send(name), await send(name)];
  await mark('read', [first, second]);
  const before = await deadlocks();
  const { messages } = cordelia.client;
  const started: Promise<unknown>[] = [];
  await chat.server.app.db.transaction(async (tx) => {
    await sql`select from message where id = ${first} for update`.execute(tx);
    started.push(messages.setFlag({ op: 'remove', flag: 'read', messages: [first, second] }));
    await expect.poll(() => waitingForLocks(chat)).toBe(1);
    started.push(edit(second, `@**${cordelia.user.full_name}**`));
    // It waits for the same message, or has ended: the second is locked after the first.
    await Promise.race([started[1], expect.poll(() => waitingForLocks(chat)).toBe(2)]);
  });
  await Promise.all(started);
  await afterStatistics();
  expect(await deadlocks()).toBe(before);
  expect(await flagsOf(cordelia, second)).toEqual(['mentioned']);
});

test('a message that is deleted while it is starred is not listed among the starred ones', async () => {
  const { cordelia, iago } = chat.people;
  const { name } = await newChannel();
  const id = await send(name);
  await inTurn(
    () => mark('starred', [id]),
    () => chat.ask(iago, `DELETE /messages/${id}`),
  );
  const { starred_messages } = await cordelia.client.queues.register();
  expect(starred_messages).not.toContain(id);
});
