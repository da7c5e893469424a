import type { ChannelId, MessageId, UserId } from '@bellhop/protocol';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { type Person, startTestChat, type TestChat } from '../../../testing.ts';
import { addChannel, firstMessageOf } from '../../channels/channels.fixture.ts';
import { systemGroupIds } from '../../user-groups/queries.ts';
import type { PostingMemory } from './posting-memory.ts';
import { type Post, sendTogether } from './send-together.ts';

let chat: TestChat;
let memory: PostingMemory;
let denmark: ChannelId;
let made = 0;
beforeAll(async () => {
  chat = await startTestChat();
});
afterAll(() => chat[Symbol.asyncDispose]());
beforeEach(async () => {
  denmark = await addDenmark();
  await send([chat.people.hamlet]);
  memory = sendTogether.memory();
});

/** A channel of Hamlet and Cordelia. */
function addDenmark(settings: Partial<Parameters<typeof addChannel>[1]> = {}): Promise<ChannelId> {
  const { hamlet, cordelia } = chat.people;
  memory = sendTogether.memory();
  made += 1;
  return addChannel(chat, {
    name: `Denmark ${made}`,
    subscribers: [hamlet, cordelia],
    ...settings,
  });
}

const post = ({ user }: Pick<Person, 'user'>, id = denmark): Post => ({
  realm: chat.realm,
  sender: user,
  client: 'test',
  now: 1_700_000_000,
  content: 'words',
  read_by_sender: false,
  place: { id },
  topic: 'speed',
});

/** Sends a batch in a lane that starts with `memory`. Answers the ids, and the texts of errors. */
async function send(senders: readonly Person[], id = denmark): Promise<unknown[]> {
  const { lanes, change } = chat.server.app;
  const memories = [memory];
  const kind = {
    ...sendTogether,
    memory: () => (memory = memories.pop() ?? sendTogether.memory()),
  };
  const outcomes = await Promise.allSettled(
    senders.map((sender) =>
      lanes.join(kind, {
        realm: chat.realm,
        item: post(sender, id),
        change: (work, options) => change(chat.realm, work, options),
      }),
    ),
  );
  return outcomes.map((one) =>
    one.status === 'fulfilled' ? one.value : (one.reason as Error).message,
  );
}

/** In the table, so that no event tells of it. */
const leaveSilently = async ({ user }: Person, channel = denmark) =>
  chat.server.app.db.kysely
    .updateTable('subscription')
    .set({ is_active: false })
    .where('channel_id', '=', channel)
    .where('user_id', '=', user.id)
    .execute();

async function readersOf([id]: unknown[]): Promise<UserId[]> {
  const rows = await chat.server.app.db.kysely
    .selectFrom('user_message')
    .select('user_id')
    .where('message_id', '=', id as MessageId)
    .orderBy('user_id')
    .execute();
  return rows.map(({ user_id }) => user_id);
}
const ids = (...people: Person[]) => people.map(({ user }) => user.id);

test('what was found is not looked for again', async () => {
  const { hamlet, cordelia } = chat.people;
  await send([hamlet]);
  await leaveSilently(cordelia);
  expect(await readersOf(await send([hamlet]))).toEqual(ids(hamlet, cordelia));
  memory = sendTogether.memory();
  expect(await readersOf(await send([hamlet]))).toEqual(ids(hamlet));
});

test('whoever subscribes gets the next message', async () => {
  const { iago, hamlet, cordelia } = chat.people;
  await send([hamlet]);
  const { name } = await chat.server.app.db.kysely
    .selectFrom('channel')
    .select('name')
    .where('id', '=', denmark)
    .executeTakeFirstOrThrow();
  await iago.client.subscriptions.add({ subscriptions: [{ name }] });
  expect(await readersOf(await send([hamlet]))).toEqual(ids(iago, hamlet, cordelia));
});

test('each sender is looked for, and with one new all are', async () => {
  const { iago, hamlet, cordelia } = chat.people;
  await send([hamlet]);
  await leaveSilently(cordelia);
  const [, second] = await send([iago, hamlet]);
  expect(await readersOf([second])).toEqual(ids(hamlet));
});

test('who may not post is looked for each time: time alone may change that', async () => {
  const { hamlet, cordelia } = chat.people;
  const { kysely } = chat.server.app.db;
  const groups = await systemGroupIds(kysely, chat.realm.id);
  const closed = await addDenmark({ can_send_message_group: groups['role:nobody'] });
  const refused = expect.stringContaining('Not authorized to send to channel');
  expect(await send([hamlet], closed)).toEqual([refused]);
  await kysely
    .updateTable('channel')
    .set({ can_send_message_group: groups['role:everyone'] })
    .where('id', '=', closed)
    .execute();
  expect(await readersOf(await send([hamlet], closed))).toEqual(ids(hamlet, cordelia));
});

test('a channel that waits for its first message is looked for until it has one', async () => {
  const { hamlet, cordelia } = chat.people;
  const fresh = await addDenmark();
  const [first] = await send([hamlet], fresh);
  await leaveSilently(cordelia, fresh);
  expect(await readersOf(await send([hamlet], fresh))).toEqual(ids(hamlet));
  expect(await firstMessageOf(chat, fresh)).toBe(first);
});

test('ids ascend', async () => {
  const { hamlet } = chat.people;
  const all: unknown[] = [];
  for (const size of [1, 1, 1, 2, 7, 3, 1, 30, 2])
    all.push(...(await send(Array.from({ length: size }, () => hamlet))));
  expect(new Set(all).size).toBe(48);
  expect(all).toEqual(all.toSorted((one, other) => Number(one) - Number(other)));
});

test('not more than a thousand are remembered', async () => {
  const { hamlet, cordelia } = chat.people;
  const { user } = hamlet;
  await send([hamlet]);
  const many = Array.from({ length: 1000 }, (_, at) =>
    post({ user: { ...user, id: (1_000_000 + at) as UserId } }),
  );
  await chat.server.app.change(chat.realm, (change) =>
    memory.channelsFor(change, chat.realm.id, many),
  );
  await leaveSilently(cordelia);
  expect(await readersOf(await send([hamlet]))).toEqual(ids(hamlet));
});
