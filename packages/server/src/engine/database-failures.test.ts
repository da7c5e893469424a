import { setTimeout as sleep } from 'node:timers/promises';

import { createClient } from '@bellhop/client';
import { startDatabaseProxy } from '@bellhop/postgres/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { startTestChat, type TestChat } from '../test-chat.fixture.ts';
import { waitingForLocks } from '../waiting-for-locks.fixture.ts';

/** The name of the statement that only the connection for flushes sends. */
const FLUSH = 'flush\0';

let chat: TestChat;
beforeAll(async () => {
  chat = await startTestChat();
});
afterAll(() => chat[Symbol.asyncDispose]());

/** Hamlet as a client of another node. */
async function hamletAt(options: Parameters<TestChat['anotherNode']>[0]) {
  const { url, server } = await chat.anotherNode(options);
  const { email, api_key: apiKey, user } = chat.people.hamlet;
  const client = createClient({ url, email, apiKey });
  const send = (content: string) =>
    client.messages.send({ type: 'direct', to: [user.id], content });
  return { url, client, send, server };
}

/** Tries again if a busy machine needs longer than a short time limit. */
const eventually = <Result>(ask: () => Promise<Result>) => vi.waitFor(ask, { timeout: 15_000 });

/** Holds a lock as a node does that froze inside a transaction, until the work has ended. */
async function whileLocked(lock: string, work: () => Promise<void>): Promise<void> {
  await chat.server.app.db.transaction(async (tx) => {
    await sql.raw(lock).execute(tx);
    await work();
  });
}

test('a write that waits too long for a frozen node answers SERVICE_UNAVAILABLE', async () => {
  const hamlet = await hamletAt({ limits: { lockMs: 200 } });
  await whileLocked('select from event_counter for update', async () => {
    await expect(hamlet.send('waits')).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      status: 503,
      message: expect.stringContaining('nothing was changed. Try again'),
    });
  });
  await hamlet.send('goes through');
});

test('a write whose flush gets no answer answers SERVICE_UNAVAILABLE, and the next one succeeds', async () => {
  await using proxy = await startDatabaseProxy(chat.databaseUrl);
  const hamlet = await hamletAt({ url: proxy.url, flushMs: 300 });
  await eventually(() => hamlet.send('before'));
  proxy.silence(FLUSH);
  await expect(hamlet.send('unflushed')).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    status: 503,
    message: expect.stringContaining('may or may not have been made'),
  });
  await eventually(() => hamlet.send('after'));
});

test('a poll gets no event whose flush gets no answer', async () => {
  await using proxy = await startDatabaseProxy(chat.databaseUrl);
  const hamlet = await hamletAt({ url: proxy.url, flushMs: 300 });
  await eventually(() => hamlet.send('before'));
  const { queue_id, last_event_id } = await chat.people.hamlet.client.queues.register({
    event_types: ['message'],
  });
  await chat.people.hamlet.client.messages.send({
    type: 'direct',
    to: [chat.people.hamlet.user.id],
    content: 'unflushed',
  });
  proxy.silence(FLUSH);
  const poll = { queue_id: queue_id ?? '', last_event_id, dont_block: true };
  await expect(hamlet.client.queues.events(poll)).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
  });
  const { events } = await eventually(() => hamlet.client.queues.events(poll));
  expect(events).toHaveLength(1);
});

test('a GET stops its query when its client leaves, and logs no error', async () => {
  const { hamlet } = chat.people;
  await whileLocked('lock table message', async () => {
    const leaves = new AbortController();
    const fetched = hamlet.client.messages.fetch(
      { anchor: 'newest', num_before: 10, num_after: 0 },
      { signal: leaves.signal },
    );
    await expect.poll(() => waitingForLocks(chat)).toBe(1);
    const logged = chat.logged().length;
    leaves.abort();
    await expect(fetched).rejects.toThrow();
    await expect.poll(() => waitingForLocks(chat)).toBe(0);
    expect(chat.logged().slice(logged)).not.toContain('request failed');
  });
});

test('a stop waits for an operation whose client has left', async () => {
  const hamlet = await hamletAt({});
  const order: string[] = [];
  let stopping: Promise<unknown> | undefined;
  await whileLocked('select from event_counter for update', async () => {
    const leaves = new AbortController();
    const sent = hamlet.client.messages.send(
      { type: 'direct', to: [chat.people.hamlet.user.id], content: 'sent before the stop' },
      { signal: leaves.signal },
    );
    await expect.poll(() => waitingForLocks(chat)).toBe(1);
    leaves.abort();
    await expect(sent).rejects.toThrow();
    stopping = hamlet.server.stop().then(() => order.push('stopped'));
    // A stop that does not wait takes less.
    await Promise.race([stopping, sleep(300)]);
    order.push('unlocked');
  });
  await stopping;
  expect(order).toEqual(['unlocked', 'stopped']);
});

const states = [
  ['53100', 'The disk of the database is full; nothing was changed. Try again when'],
  ['53300', 'The database has too many connections; nothing was changed. Try again in'],
  ['25006', 'The database is read-only, or a standby; nothing was changed. Try again in'],
] as const;
test.for(states)('SQLSTATE %s is told to the caller: "%s"', async ([code, message]) => {
  const { kysely } = chat.server.app.db;
  const raise = `create function refuse() returns trigger language plpgsql as $$ begin raise sqlstate '${code}'; end $$`;
  await sql.raw(raise).execute(kysely);
  await sql`create trigger refuse before insert on message execute function refuse()`.execute(
    kysely,
  );
  const { hamlet } = chat.people;
  const to = [hamlet.user.id];
  const sent = hamlet.client.messages.send({ type: 'direct', to, content: 'refused' });
  await expect(sent).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    status: 503,
    message: expect.stringContaining(message),
  });
  await sql`drop function refuse cascade`.execute(kysely);
  await hamlet.client.messages.send({ type: 'direct', to, content: 'accepted' });
});
