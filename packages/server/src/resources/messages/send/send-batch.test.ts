import { createClient } from '@bellhop/client';
import {
  type Api,
  api,
  type AskOf,
  type ChannelId,
  type MessageId,
  type UserId,
} from '@bellhop/protocol';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { receivedBy } from '../../../model/messages/move/queries.ts';
import { type Person, startTestChat, type TestChat } from '../../../test-chat.fixture.ts';
import { addChannel, firstMessageOf } from '../../channels/channels.fixture.ts';
import { listen } from '../../queues/listen.fixture.ts';

let chat: TestChat;
let rome: ChannelId;
beforeAll(async () => {
  chat = await startTestChat();
  const { hamlet, cordelia, iago, polonius } = chat.people;
  await addChannel(chat, { name: 'Denmark', subscribers: [hamlet, cordelia, iago, polonius] });
  rome = await addChannel(chat, { name: 'Rome', subscribers: [hamlet, iago], invite_only: true });
});
afterAll(() => chat[Symbol.asyncDispose]());

type Ask = Partial<AskOf<Api['messages']['send']>>;

/** Sends concurrently, in this order. Returns the ids, or the texts of errors. */
async function sendAll(...sends: readonly (readonly [Person, Ask])[]): Promise<unknown[]> {
  const { realm, server } = chat;
  const outcomes = await Promise.allSettled(
    sends.map(([{ user }, ask]) =>
      server.perform(
        api.messages.send,
        { type: 'channel', to: 'Denmark', topic: 'speed', content: 'hello', ...ask },
        { realm, user, client: 'test' },
      ),
    ),
  );
  return outcomes.map((outcome) =>
    outcome.status === 'fulfilled' ? outcome.value.id : (outcome.reason as Error).message,
  );
}

/** The transaction that stored each of these messages. */
async function transactionsOf(ids: readonly unknown[]): Promise<string[]> {
  const { rows } = await sql<{ xmin: string }>`
    select xmin::text from message where id = any(${ids}::bigint[]) order by id`.execute(
    chat.server.app.db.kysely,
  );
  return rows.map(({ xmin }) => xmin);
}

/** Of these messages, those that each user received. */
async function receivedOf(ids: readonly unknown[]): Promise<ReadonlyMap<UserId, unknown>> {
  const rows = await receivedBy(chat.server.app.db.kysely, chat.realm.id, ids as MessageId[]);
  return new Map(rows.map((row) => [row.user_id, row.ids]));
}

test('concurrent messages from several users to several channels share a transaction, in their order', async () => {
  const { hamlet, cordelia, iago } = chat.people;
  const listening = await listen(iago);
  const sends = [
    [hamlet, { content: 'one' }],
    [iago, { to: rome, content: 'two' }],
    [cordelia, { to: 'DENMARK', content: 'three @**Iago**' }],
    [hamlet, { to: 'Rome', topic: 'other', content: 'four' }],
  ] as const;
  const ids = await sendAll(...sends);
  expect(new Set(await transactionsOf(ids)).size).toBe(1);
  const events = await listening.messages();
  expect(events.map(({ message }) => message)).toMatchObject(
    sends.map(([{ user }, { content }], at) => ({
      id: ids[at],
      sender_id: user.id,
      content: expect.stringContaining(content.split(' ')[0] ?? ''),
      display_recipient: at % 2 === 0 ? 'Denmark' : 'Rome',
      subject: at === 3 ? 'other' : 'speed',
    })),
  );
  expect(events.map(({ flags }) => flags)).toEqual([[], [], ['mentioned'], []]);
  expect(ids).toEqual(ids.toSorted((one, other) => Number(one) - Number(other)));
});

test('concurrent direct messages share a transaction with channel messages, in their order', async () => {
  const { hamlet, cordelia, iago } = chat.people;
  const listening = await listen(cordelia);
  const direct = { type: 'direct', topic: undefined } as const;
  const ids = await sendAll(
    [hamlet, { ...direct, to: [cordelia.user.id], content: 'one' }],
    [hamlet, { content: 'two' }],
    [iago, { ...direct, to: [hamlet.email, cordelia.email], content: 'three' }],
    [cordelia, { ...direct, to: [hamlet.user.id], content: 'four' }],
  );
  expect(new Set(await transactionsOf(ids)).size).toBe(1);
  const events = await listening.messages();
  expect(events.map(({ message }) => message)).toMatchObject(
    ['one', 'two', 'three', 'four'].map((content, at) => ({ id: ids[at], content })),
  );
  const [first, , , fourth] = events.map(({ message }) => message as { recipient_id: number });
  expect(fourth?.recipient_id).toBe(first?.recipient_id);
});

test('a rejected direct message creates no conversation and leaves the others of its batch stored', async () => {
  const { hamlet, cordelia, iago, polonius } = chat.people;
  const direct = { type: 'direct', topic: undefined } as const;
  const answers = await sendAll(
    [hamlet, { ...direct, to: [iago.user.id, polonius.user.id], content: '@*role:owners*' }],
    [hamlet, { ...direct, to: [999_999] }],
    [hamlet, { ...direct, to: ['nobody@chat.test'] }],
    [hamlet, { ...direct, to: [cordelia.user.id] }],
    [hamlet, {}],
  );
  expect(answers).toEqual([
    expect.stringContaining('not allowed to mention'),
    'Invalid user ID 999999',
    "Invalid email 'nobody@chat.test'",
    expect.any(Number),
    expect.any(Number),
  ]);
  const conversation = [hamlet, iago, polonius]
    .map(({ user }) => user.id)
    .toSorted((a, b) => a - b);
  const { rows } = await sql`
    select from recipient where user_ids = ${conversation}::bigint[]`.execute(
    chat.server.app.db.kysely,
  );
  expect(rows).toEqual([]);
});

test('each reader gets only the messages of their channels', async () => {
  const { hamlet, cordelia, polonius } = chat.people;
  const [inside, outside] = [await listen(hamlet), await listen(polonius)];
  const ids = await sendAll([hamlet, { to: rome }], [cordelia, {}], [hamlet, { to: rome }]);
  const idsOf = (events: readonly Record<string, unknown>[]) =>
    events.map(({ message }) => (message as { id: number }).id);
  expect(idsOf(await inside.messages())).toEqual(ids);
  expect(idsOf(await outside.messages())).toEqual([ids[1]]);
  const received = await receivedOf(ids);
  expect(received.get(hamlet.user.id)).toEqual(ids);
  expect(received.get(polonius.user.id)).toEqual([ids[1]]);
});

test('first_message_id is the first of several messages in a batch', async () => {
  const { hamlet } = chat.people;
  const id = await addChannel(chat, { name: 'Elsinore', subscribers: [hamlet] });
  const [first] = await sendAll([hamlet, { to: id }], [hamlet, { to: id }]);
  expect(await firstMessageOf(chat, id)).toBe(first);
});

test('a rejected message leaves the others of its batch stored', async () => {
  const { hamlet, cordelia, polonius } = chat.people;
  const listening = await listen(hamlet);
  const answers = await sendAll(
    [hamlet, { content: 'good' }],
    [hamlet, { to: 'Atlantis' }],
    [cordelia, { content: ' ' }],
    [polonius, { to: rome }],
    [cordelia, { topic: 'a\u0007b' }],
    [cordelia, { content: 'good too' }],
  );
  expect(answers).toEqual([
    expect.any(Number),
    "Channel 'Atlantis' does not exist",
    'Message must not be empty',
    `Channel with ID '${rome}' does not exist`,
    'Invalid character in topic, at position 2!',
    expect.any(Number),
  ]);
  const ids = [answers[0], answers[5]];
  expect(new Set(await transactionsOf(ids)).size).toBe(1);
  const events = await listening.messages();
  expect(events.map(({ message }) => (message as { id: number }).id)).toEqual(ids);
});

test('a message that violates a constraint leaves the others of its batch stored', async () => {
  const { hamlet, cordelia } = chat.people;
  const { kysely } = chat.server.app.db;
  const listening = await listen(hamlet);
  await sql`alter table message add constraint no_poison check (content <> 'poison')`.execute(
    kysely,
  );
  try {
    const answers = await sendAll(
      [hamlet, { content: 'good' }],
      [cordelia, { content: 'poison' }],
      [hamlet, { to: 'Atlantis' }],
      [cordelia, { content: 'good too' }],
    );
    expect(answers).toEqual([
      expect.any(Number),
      expect.stringContaining('no_poison'),
      "Channel 'Atlantis' does not exist",
      expect.any(Number),
    ]);
    const events = await listening.messages();
    expect(events.map(({ message }) => (message as { id: number }).id)).toEqual([
      answers[0],
      answers[3],
    ]);
  } finally {
    await sql`alter table message drop constraint no_poison`.execute(kysely);
  }
});

test('a user who subscribes on another node during continuous sends gets every later message', async () => {
  const { hamlet, iago } = chat.people;
  const other = createClient({
    url: (await chat.anotherNode()).url,
    email: iago.email,
    apiKey: iago.api_key,
  });
  const names = ['one', 'two', 'three', 'four', 'five'];
  for (const name of names) await addChannel(chat, { name, subscribers: [hamlet] });
  let isOver = false;
  let poured = 0;
  const pour = async () => {
    while (!isOver) {
      const to = names[poured++ % names.length] ?? '';
      expect(await sendAll([hamlet, { to, content: 'pouring' }])).toEqual([expect.any(Number)]);
    }
  };
  const pouring = Array.from({ length: 8 }, pour);
  const sent: unknown[] = [];
  for (const name of names) {
    await expect.poll(() => poured).toBeGreaterThan(20);
    poured = 0;
    await other.subscriptions.add({ subscriptions: [{ name }] });
    sent.push(...(await sendAll([hamlet, { to: name, content: 'after' }])));
  }
  isOver = true;
  await Promise.all(pouring);
  expect((await receivedOf(sent)).get(iago.user.id)).toEqual(sent);
});
