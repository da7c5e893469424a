import { createTestDatabase, readCatalogue } from '@bellhop/postgres/testing';
import { roles } from '@bellhop/protocol';
import { sql } from 'kysely';
import { expect, test } from 'vitest';

import { ownTables } from '../../model/users/erased-person.ts';
import { fillRealm } from '../../portability/filled-realm.fixture.ts';
import { personToErase, serverMigrations, startErasure, type Tables } from '../../provision.ts';
import { runQueuedJobs } from '../../run-queued-jobs.fixture.ts';
import { startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { listen } from '../queues/listen.fixture.ts';
import { download } from '../uploads/uploads.fixture.ts';
import { erasePerson } from './erase-person.ts';

async function erase(chat: TestChat, email: string, deletesMessages: boolean): Promise<number> {
  const { db } = chat.server.app;
  const id = await db.transaction(async (tx) => {
    const user = await personToErase(tx, chat.realm.id, email);
    if (typeof user === 'string') throw new Error(user);
    await startErasure(tx, user, { deletesMessages });
    return user.id;
  });
  await runQueuedJobs(chat, erasePerson.name);
  return id;
}

/** The tables in which a text is anywhere. */
async function tablesWith({ server }: TestChat, text: string): Promise<string[]> {
  const { kysely } = server.app.db;
  const { columns } = await readCatalogue(kysely);
  const found = [];
  for (const table of new Set(columns.map((column) => column.table))) {
    const { rows } = await sql`select from ${sql.table(table)} t
      where t::text ilike ${`%${text}%`} limit 1`.execute(kysely);
    if (rows.length > 0) found.push(table);
  }
  return found.toSorted();
}

const everything = {
  anchor: 'oldest',
  num_before: 0,
  num_after: 1000,
  apply_markdown: false,
} as const;

test('of somebody who is erased nothing is left but their messages, under a number', async () => {
  await using chat = await startTestChat();
  const { file } = await fillRealm(chat);
  const { hamlet, cordelia, iago } = chat.people;
  const before = (await cordelia.client.messages.fetch(everything)).messages;
  const queue = await listen(cordelia);
  const id = await erase(chat, hamlet.email, false);

  const name = `Deleted user ${id}`;
  const updates = (await queue.events('realm_user')).map(
    (event) => event as unknown as { op: string; person: Record<string, unknown> },
  );
  expect(updates.map(({ op, person }) => ({ op, ...person }))).toEqual(
    expect.arrayContaining([
      { op: 'update', user_id: id, is_active: false },
      { op: 'update', user_id: id, full_name: name },
    ]),
  );
  const gone = await chat.ask(hamlet, 'GET /users/me');
  expect([gone.status, gone.body['code']]).toEqual([401, 'UNAUTHORIZED']);
  const { user } = await iago.client.users.get({
    user_id: id as never,
    include_custom_profile_fields: true,
  });
  expect(user).toMatchObject({
    full_name: name,
    email: `deleted-${id}@erased.invalid`,
    is_active: false,
    timezone: '',
    profile_data: {},
  });
  const after = (await cordelia.client.messages.fetch(everything)).messages;
  expect(after.map((message) => [message.id, message.content])).toEqual(
    before.map((message) => [message.id, message.content]),
  );
  expect(after.find(({ sender_id }) => sender_id === id)?.sender_full_name).toBe(name);
  expect((await download(chat, cordelia, file)).status).toBe(200);

  // The log of events is emptied as clients read it; others have named him in their messages.
  expect(await tablesWith(chat, hamlet.email)).toEqual(['event']);
  expect(await tablesWith(chat, 'hamlet')).toEqual(['event', 'message']);
  await chat.server.app.db.kysely.deleteFrom('event').execute();
  expect(await tablesWith(chat, 'europe/copenhagen')).toEqual([]);
  expect(await tablesWith(chat, 'damned spot')).toEqual([]);

  const quiet = await listen(cordelia);
  await erase(chat, `deleted-${id}@erased.invalid`, false);
  expect(await quiet.all()).toEqual([]);
});

test('an erasure with messages deletes messages, reactions and files, and tells those who saw them', async () => {
  await using chat = await startTestChat();
  const { file } = await fillRealm(chat);
  const { hamlet, cordelia } = chat.people;
  const { messages } = await cordelia.client.messages.fetch(everything);
  const his = messages.filter(({ sender_id }) => sender_id === hamlet.user.id);
  expect(his.length).toBeGreaterThan(1);
  const queue = await listen(cordelia);
  await erase(chat, hamlet.email, true);
  const deleted = (await queue.events('delete_message')) as unknown as { message_id: number }[];
  expect(deleted.map(({ message_id }) => message_id)).toEqual(his.map((message) => message.id));
  const { messages: left } = await cordelia.client.messages.fetch(everything);
  expect(left.map((message) => message.id)).toEqual(
    messages.filter(({ sender_id }) => sender_id !== hamlet.user.id).map((message) => message.id),
  );
  expect(
    left.flatMap(({ reactions }) => reactions).filter(({ user_id }) => user_id === hamlet.user.id),
  ).toEqual([]);
  expect((await download(chat, cordelia, file)).status).toBe(404);
  for (const table of ['upload', 'user_message', 'reaction', 'submessage'] as const) {
    const { rows } = await sql`select from ${sql.table(table)} t
      where ${sql.ref(table === 'upload' ? 'owner_id' : table === 'submessage' ? 'sender_id' : 'user_id')} = ${hamlet.user.id}`.execute(
      chat.server.app.db.kysely,
    );
    expect([table, rows.length]).toEqual([table, 0]);
  }
});

test('an erasure that is interrupted is finished by the next attempt', async () => {
  await using chat = await startTestChat();
  await fillRealm(chat);
  const { hamlet } = chat.people;
  const { app } = chat.server;
  const stop = new AbortController();
  stop.abort(new Error('stopped'));
  const payload = { realm_id: chat.realm.id, user_id: hamlet.user.id, deletes_messages: true };
  const run = (signal: AbortSignal) => erasePerson.run(payload, app, { signal } as never);
  await expect(run(stop.signal)).rejects.toThrow('stopped');
  const own = () =>
    app.db.kysely
      .selectFrom('message')
      .select('id')
      .where('sender_id', '=', hamlet.user.id)
      .execute();
  expect((await own()).length).toBeGreaterThan(0);
  await run(new AbortController().signal);
  expect(await own()).toEqual([]);
});

test('neither bots nor the only owner nor somebody unknown can be erased', async () => {
  await using chat = await startTestChat();
  const { desdemona, iago } = chat.people;
  const ask = (email: string) =>
    chat.server.app.db.transaction((tx) => personToErase(tx, chat.realm.id, email));
  expect(await ask(desdemona.email)).toBe('only owner');
  expect(await ask('nobody@chat.test')).toBe('unknown');
  expect(await ask('notification-bot@chat.test')).toBe('unknown');
  await chat.addPerson('Lodovico', roles.owner);
  expect(await ask(desdemona.email)).toMatchObject({ id: desdemona.user.id });
  expect(await ask(iago.email)).toMatchObject({ id: iago.user.id });
});

/** References to people that an erasure does not delete by itself, each with its reason. An unneeded entry fails the test. */
const stays: Readonly<Record<string, string>> = {
  'bot_change.user_id': 'a bot',
  'bot_delivery.bot_id': 'a bot',
  'bot_profile.user_id': 'a bot',
  'bot_service.user_id': 'a bot',
  'bot_storage.user_id': 'a bot',
  'bot_topic.user_id': 'a bot',
  'channel.creator_id': 'a number',
  'channel_folder.creator_id': 'a number',
  'event_queue.user_id': 'ended with their logins',
  'message.sender_id': 'deleted with their messages, if asked for',
  'muted_user.muted_user_id': 'a number, in the list of somebody else',
  'reaction.user_id': 'deleted with their messages, if asked for',
  'realm_emoji.author_id': 'a number',
  'realm_user.bot_owner_id': 'a number; their bots are deactivated',
  'submessage.sender_id': 'deleted with their messages, if asked for',
  'upload.owner_id': 'files go apart: those that no message links, or all',
  'user_group.creator_id': 'a number',
};

test('whatever refers to a person goes with an erasure, or stays for a reason', async () => {
  await using created = await createTestDatabase<Tables>({ migrations: serverMigrations });
  const { foreignKeys } = await readCatalogue(created.database.kysely);
  const references = foreignKeys
    .filter(({ parent }) => parent === 'realm_user')
    .map(({ table, columns }) => `${table}.${columns.at(-1)}`);
  const erased = Object.entries(ownTables).map(([table, column]) => `${table}.${column}`);
  expect(references.toSorted()).toEqual([...erased, ...Object.keys(stays)].toSorted());
});
