import { EPOCH_GAP } from '@bellhop/postgres';
import { dumpDatabase } from '@bellhop/postgres/testing';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';

import { type Person, startTestChat, type TestChat } from '../test-chat.fixture.ts';

async function register({ client }: Person) {
  const { queue_id } = await client.queues.register({
    event_types: ['message'],
    fetch_event_types: [],
  });
  if (queue_id === null) throw new Error('no queue');
  return {
    queue_id,
    /** The IDs of the events after `last_event_id`. */
    events: async (last_event_id: number) => {
      const polled = { queue_id, last_event_id, dont_block: true };
      return (await client.queues.events(polled)).events.map(({ id }) => id);
    },
  };
}

async function send({ client, user }: Person, count: number): Promise<number[]> {
  const ids: number[] = [];
  for (let at = 0; at < count; at += 1) {
    const content = `message ${at}`;
    ids.push((await client.messages.send({ type: 'direct', to: [user.id], content })).id);
  }
  return ids;
}

/** Has the database of the chat look like that of a standby which was promoted. */
const promote = (chat: TestChat) =>
  sql`update database_epoch set timeline = '000000AB'`.execute(chat.server.app.db.kysely);

/** Undoes the newest events, which the promoted standby did not have. */
async function lose(chat: TestChat, events: number): Promise<void> {
  const { kysely } = chat.server.app.db;
  await sql`update event_counter set last_seq = last_seq - ${events}`.execute(kysely);
  await sql`delete from event e using event_counter c
    where e.realm_id = c.realm_id and e.seq > c.last_seq`.execute(kysely);
}

const unknownQueue = { code: 'BAD_EVENT_QUEUE_ID', status: 400 };

test('after a restore, a client that has seen lost messages registers again and no number is repeated', async () => {
  await using chat = await startTestChat();
  const { hamlet, cordelia } = chat.people;
  const queue = await register(hamlet);
  const other = await register(cordelia);
  await send(hamlet, 2);
  await using dump = await dumpDatabase(chat.databaseUrl);
  const lost = await vi.waitFor(() => send(hamlet, 5), { timeout: 15_000 });
  const seen = (await queue.events(-1)).at(-1) ?? -1;
  await dump.restore();
  // A node that was never told: the one that ran before the restore.
  const sent = await vi.waitFor(() => send(hamlet, 1), { timeout: 15_000 });
  await expect(queue.events(seen)).rejects.toMatchObject(unknownQueue);
  sent.push(...(await send(hamlet, 7)));
  await expect(queue.events(seen)).rejects.toMatchObject(unknownQueue);
  await expect(other.events(-1)).rejects.toMatchObject(unknownQueue);
  expect(Math.min(...sent)).toBeGreaterThan(Math.max(...lost));
  expect(Math.max(...sent)).toBeLessThan(2 ** 31);
  const presence = await hamlet.client.presence.update({ status: 'active', last_update_id: -1 });
  expect(presence.presence_last_update_id).toBeGreaterThan(EPOCH_GAP);
  const again = await register(hamlet);
  await send(hamlet, 1);
  expect(await again.events(-1)).toHaveLength(1);
  expect(chat.logged()).toContain('the database was restored or copied');
});

test('pictures have other addresses after a restore: clients keep the lost ones by address', async () => {
  await using chat = await startTestChat();
  const { hamlet } = chat.people;
  const versionOfAvatar = async () => {
    const { avatar_url } = await hamlet.client.users.me();
    return Number(new URL(avatar_url ?? '').searchParams.get('version'));
  };
  const before = await versionOfAvatar();
  await using dump = await dumpDatabase(chat.databaseUrl);
  await dump.restore();
  // Callers are cached for a moment (decision 5), and the first requests may fail.
  await vi.waitFor(async () => expect(await versionOfAvatar()).toBeGreaterThan(before + 1000), {
    timeout: 15_000,
  });
  const { rows } = await sql<{ version: number }>`
    select nextval('realm_image_version') as version`.execute(chat.server.app.db.kysely);
  expect(rows[0]?.version).toBeGreaterThan(EPOCH_GAP);
});

test('a dump that is restored twice gives out no number of its first life', async () => {
  await using chat = await startTestChat();
  const { hamlet } = chat.people;
  await send(hamlet, 2);
  await using dump = await dumpDatabase(chat.databaseUrl);
  await vi.waitFor(() => send(hamlet, 1), { timeout: 15_000 });
  await dump.restore();
  const first = await vi.waitFor(() => send(hamlet, 1), { timeout: 15_000 });
  first.push(...(await send(hamlet, 5)));
  await dump.restore();
  const second = await vi.waitFor(() => send(hamlet, 1), { timeout: 15_000 });
  second.push(...(await send(hamlet, 5)));
  expect(second.filter((id) => first.includes(id))).toEqual([]);
});

test('a node that starts on a restored database registers its clients again', async () => {
  await using chat = await startTestChat();
  const { hamlet } = chat.people;
  const queue = await register(hamlet);
  await using dump = await dumpDatabase(chat.databaseUrl);
  const [lost = 0] = await vi.waitFor(() => send(hamlet, 1), { timeout: 15_000 });
  await chat.server.stop();
  await dump.restore();
  const { server } = await chat.anotherNode();
  const { rows } = await sql`select from event_queue`.execute(server.app.db.kysely);
  expect(rows).toEqual([]);
  const [sent = 0] = await send(hamlet, 1);
  expect(sent).toBeGreaterThan(lost);
  await expect(queue.events(-1)).rejects.toMatchObject(unknownQueue);
});

test('a promotion that loses nothing leaves the queues as they are', async () => {
  await using chat = await startTestChat();
  const { hamlet } = chat.people;
  const queue = await register(hamlet);
  await send(hamlet, 2);
  const [first = 0, second = 0] = await queue.events(-1);
  await promote(chat);
  await chat.anotherNode();
  await send(hamlet, 1);
  const [, third] = await queue.events(first);
  expect(third).toBeGreaterThan(second);
  expect(await queue.events(third ?? 0)).toEqual([]);
});

test('after a promotion that loses events, only the clients that have seen one register again', async () => {
  await using chat = await startTestChat();
  const { hamlet } = chat.people;
  const seeing = await register(hamlet);
  const waiting = await register(hamlet);
  const [kept = 0] = await send(hamlet, 1);
  const [seen = 0] = await seeing.events(-1);
  await waiting.events(seen);
  const lost = await send(hamlet, 2);
  const newest = (await seeing.events(seen)).at(-1) ?? 0;
  await lose(chat, 2);
  await promote(chat);
  const { server } = await chat.anotherNode();
  chat.server.app.queues.restart();
  const sent = await send(hamlet, 3);
  expect(Math.min(...sent)).toBeGreaterThan(Math.max(...lost, kept));
  await expect(seeing.events(newest)).rejects.toMatchObject(unknownQueue);
  expect(await waiting.events(seen)).toHaveLength(3);
  expect(server.app.queues.waiting).toBe(0);
});

test('after two promotions, a client that was away for both registers again', async () => {
  await using chat = await startTestChat();
  const { hamlet } = chat.people;
  const queue = await register(hamlet);
  await send(hamlet, 2);
  const newest = (await queue.events(-1)).at(-1) ?? 0;
  await lose(chat, 1);
  await promote(chat);
  await chat.anotherNode();
  chat.server.app.queues.restart();
  await send(hamlet, 3);
  await promote(chat);
  await chat.anotherNode();
  await expect(queue.events(newest)).rejects.toMatchObject(unknownQueue);
});

test('a node that waits for events when the database loses some ends its polls, and gets the later events', async () => {
  await using chat = await startTestChat();
  const { hamlet } = chat.people;
  const queue = await register(hamlet);
  await send(hamlet, 3);
  const newest = (await queue.events(-1)).at(-1) ?? 0;
  const { queue_id } = queue;
  const waiting = hamlet.client.queues.events({ queue_id, last_event_id: newest });
  await expect.poll(() => chat.server.app.queues.waiting).toBe(1);
  await lose(chat, 3);
  await promote(chat);
  chat.server.app.queues.restart();
  expect((await waiting).events).toEqual([]);
  const fresh = await register(hamlet);
  await send(hamlet, 1);
  expect(await fresh.events(-1)).toHaveLength(1);
});
