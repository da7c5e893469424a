import type { ChannelId, UserId } from '@bellhop/protocol';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { startTestChat, type TestChat } from '../testing.ts';
import type { Change } from './call.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startTestChat();
});
afterAll(() => chat[Symbol.asyncDispose]());

const change = <T>(work: (made: Change) => Promise<T>) => chat.server.app.change(chat.realm, work);

async function counter(): Promise<{ last_seq: number; revision: number }> {
  return chat.server.app.db.kysely
    .selectFrom('event_counter')
    .select(['last_seq', 'revision'])
    .where('realm_id', '=', chat.realm.id)
    .executeTakeFirstOrThrow();
}

const typing = (email: string) => ({
  type: 'typing' as const,
  op: 'start' as const,
  message_type: 'direct' as const,
  sender: { user_id: 0 as UserId, email },
  recipients: [],
});
const archived = {
  type: 'stream' as const,
  op: 'update' as const,
  stream_id: 1 as ChannelId,
  name: 'Denmark',
  property: 'is_archived' as const,
  value: true,
};

test('what people write leaves the revision of their realm; anything else makes a new one', async () => {
  const before = await counter();
  await change(async ({ emit }) => emit(typing('a@chat.test'), [1]));
  expect(await counter()).toEqual({ ...before, last_seq: before.last_seq + 1 });
  await change(async ({ emit }) => {
    emit(typing('a@chat.test'), [1]);
    emit(archived, [1, 2]);
    emit(archived, [3]);
  });
  expect(await counter()).toEqual({
    last_seq: before.last_seq + 4,
    revision: before.revision + 1,
  });
});

test('so does what nobody is told of', async () => {
  const before = await counter();
  await change(async ({ emit }) => emit(archived, []));
  expect(await counter()).toEqual({ ...before, revision: before.revision + 1 });
});

test('a change that rests on the revision is made', async () => {
  const { revision, last_seq } = await counter();
  let runs = 0;
  await change(async ({ emit, restsOn }) => {
    runs += 1;
    restsOn(revision);
    emit(typing('b@chat.test'), [1]);
  });
  expect([runs, await counter()]).toEqual([1, { revision, last_seq: last_seq + 1 }]);
});

test.each([
  ['with events', [1]],
  ['without', []],
] as const)('one that rests on an earlier revision is made again, %s', async (_, audience) => {
  const { kysely } = chat.server.app.db;
  await sql`create table if not exists made (n integer)`.execute(kysely);
  await sql`truncate made`.execute(kysely);
  let { revision } = await counter();
  let runs = 0;
  await change(async ({ db, emit, restsOn }) => {
    runs += 1;
    restsOn(revision);
    await sql`insert into made values (${runs})`.execute(db);
    emit(typing('c@chat.test'), audience);
    if (runs > 1) return;
    // Somebody else, while this one is under way.
    await change(async (other) => other.emit(archived, []));
    ({ revision } = await counter());
  });
  const { rows } = await sql<{ n: number }>`select n from made`.execute(kysely);
  expect([runs, rows]).toEqual([2, [{ n: 2 }]]);
});
