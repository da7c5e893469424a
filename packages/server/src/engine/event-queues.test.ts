import type { Database } from '@bellhop/postgres';
import { MAX_QUEUE_LAG, type UserId } from '@bellhop/protocol';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { type Person, startTestChat, type TestChat } from '../test-chat.fixture.ts';
import { waitingForLocks } from '../waiting-for-locks.fixture.ts';
import { idAfter, idOf, idOfHeartbeat, newestSeq, offsetAfter, seqOf } from './event-log.ts';
import { EventQueues, type QueueOptions } from './event-queues.ts';
import { sweep } from './event-sweep.ts';
import type { Tables } from './tables.ts';

let chat: TestChat;
let reader: Person;
const started: EventQueues[] = [];
const databases: Database<Tables>[] = [];

beforeAll(async () => {
  chat = await startTestChat();
  reader = chat.people.cordelia;
});
afterAll(() => chat[Symbol.asyncDispose]());
afterEach(async () => {
  for (const queues of started.splice(0)) queues.stop();
  for (const database of databases.splice(0)) await database.close();
});

/** Starts the event queues of another node, with connections of its own. */
async function node(options: Partial<QueueOptions> = {}): Promise<EventQueues> {
  const db = await chat.openDatabase();
  databases.push(db);
  const queues = new EventQueues({
    db,
    presenters: {},
    shownToGuest: async (_guest, events) => events,
    onError: () => {},
    ...options,
  });
  await queues.start();
  started.push(queues);
  return queues;
}

const emit = (...marks: string[]) =>
  chat.server.app.change(chat.realm, async ({ emit: add }) => {
    for (const email of marks)
      add(
        {
          type: 'typing',
          op: 'start',
          message_type: 'direct',
          sender: { user_id: 0 as UserId, email },
          recipients: [],
        },
        [reader.user.id],
      );
  });

async function register() {
  const { queue_id, last_event_id } = await reader.client.queues.register({
    event_types: ['typing'],
    fetch_event_types: [],
  });
  if (queue_id === null) throw new Error('no queue');
  return { queue_id, last_event_id };
}

const ask = (queue: { queue_id: string; last_event_id: number }, dont_block = false) => ({
  ...queue,
  dont_block,
  realm: chat.realm.id,
  user_id: reader.user.id,
  signal: new AbortController().signal,
});

describe('a heartbeat', () => {
  test('ends a poll without events, and its ID can be acknowledged', async () => {
    const queues = await node({ heartbeatMs: 30, random: () => 0 });
    const queue = await register();
    const before = performance.now();
    const [beat, ...more] = await queues.poll(ask(queue));
    expect(performance.now() - before).toBeGreaterThan(25);
    expect(more).toEqual([]);
    expect(beat).toEqual({ type: 'heartbeat', id: queue.last_event_id + 1 });
    const last_event_id = beat?.id ?? 0;
    expect(await queues.poll(ask({ ...queue, last_event_id }))).toMatchObject([
      { type: 'heartbeat', id: last_event_id + 1 },
    ]);
    expect(queues.waiting).toBe(0);
  });

  test('is delayed by a random time', async () => {
    const queues = await node({ heartbeatMs: 0, random: () => 0.01 });
    const before = performance.now();
    await queues.poll(ask(await register()));
    expect(performance.now() - before).toBeGreaterThan(95);
  });

  test('never takes the ID of a later event, however many heartbeats there are', async () => {
    const queues = await node({ heartbeatMs: 0, random: () => 0 });
    const { queue_id } = await register();
    const newest = await newestSeq(chat.server.app.db.kysely, chat.realm.id);
    const last = idOf(newest + 1) - 1;
    const last_event_id = last - offsetAfter(newest);
    const [beat] = await queues.poll(ask({ queue_id, last_event_id }));
    expect(beat).toEqual({ type: 'heartbeat', id: last_event_id });
    expect(seqOf(idOfHeartbeat(last))).toBe(newest);
    await emit('after them');
    expect(await queues.poll(ask({ queue_id, last_event_id }, true))).toMatchObject([
      { id: last_event_id + 1, sender: { email: 'after them' } },
    ]);
  });
});

describe('an event that is delivered in parts', () => {
  const presenters: QueueOptions['presenters'] = {
    typing: ({ payload }) => [1, 2, 3].map((part) => ({ ...payload, part })),
  };

  test('can be acknowledged part by part', async () => {
    const queues = await node({ presenters });
    const queue = await register();
    await emit('parts');
    const all = await queues.poll(ask(queue));
    expect(all).toMatchObject([{ part: 1 }, { part: 2 }, { part: 3 }]);
    const last_event_id = all[0]?.id ?? 0;
    expect(await queues.poll(ask({ ...queue, last_event_id }))).toEqual(all.slice(1));
  });

  test('is not delivered, not even in part, to a queue registered after it', async () => {
    const queues = await node({ presenters });
    await emit('before');
    expect(await queues.poll(ask(await register(), true))).toEqual([]);
  });
});

test('an event that fails to render for one queue is delivered to the others', async () => {
  const hers = await register();
  const his = await register();
  const queues = await node({
    presenters: {
      typing: ({ payload }, { queue_id }) => {
        if (queue_id === hers.queue_id) throw new Error('cannot be rendered');
        return [payload];
      },
    },
  });
  const first = queues.poll(ask(hers));
  const second = queues.poll(ask(his));
  while (queues.waiting < 2) await new Promise(setImmediate);
  await Promise.all([
    expect(first).rejects.toThrow('cannot be rendered'),
    expect(second).resolves.toHaveLength(1),
    emit('odd'),
  ]);
});

test('a restarted node delivers each queue the events after those it acknowledged', async () => {
  const queue = await register();
  await emit('one', 'two');
  const [one] = await (await node()).poll(ask(queue));
  await emit('three');
  const last_event_id = one?.id ?? 0;
  const rest = await (await node()).poll(ask({ ...queue, last_event_id }));
  expect(rest).toMatchObject([{ sender: { email: 'two' } }, { sender: { email: 'three' } }]);
  await expect((await node()).poll(ask(queue))).rejects.toThrow('already been pruned');
});

test('one event ends the polls of all queues, and no poll keeps waiting', async () => {
  const errors: unknown[] = [];
  const queues = await node({ onError: (error) => errors.push(error) });
  const many = await Promise.all(Array.from({ length: 20 }, register));
  const polls = many.map((queue) => queues.poll(ask(queue)));
  while (queues.waiting < many.length) await new Promise(setImmediate);
  await emit('for all');
  for (const events of await Promise.all(polls)) expect(events).toHaveLength(1);
  expect(queues.waiting).toBe(0);
  expect(errors).toEqual([]);
});

/** Adds events that are not for the reader. */
const emitToOthers = (count: number) =>
  chat.server.app.change(chat.realm, async ({ emit: add }) => {
    for (let at = 0; at < count; at++)
      add({ type: 'realm', op: 'deactivated', realm_id: chat.realm.id } as never, [
        chat.people.hamlet.user.id,
      ]);
  });

const oldestSeq = async () => {
  const { kysely } = chat.server.app.db;
  const { seq } = await kysely
    .selectFrom('event')
    .select(({ fn }) => fn.min('seq').as('seq'))
    .executeTakeFirstOrThrow();
  return seq;
};

describe('the event log', () => {
  beforeEach(() => chat.server.app.db.kysely.deleteFrom('event_queue').execute());

  test.each([
    ['gets only heartbeats', false],
    ['polls with dont_block and gets no events', true],
  ])('is swept while a client %s', async (_title, dont_block) => {
    const { kysely } = chat.server.app.db;
    const queues = await node({ heartbeatMs: 5, random: () => 0, recordUseMs: 1 });
    const queue = await register();
    await emitToOthers(20);
    const newest = await newestSeq(kysely, chat.realm.id);
    let { last_event_id } = queue;
    const pollOnce = async () => {
      const [heartbeat] = await queues.poll(ask({ ...queue, last_event_id }, dont_block));
      last_event_id = heartbeat?.id ?? last_event_id;
      const row = kysely.selectFrom('event_queue').select('scanned_seq');
      return (await row.where('id', '=', queue.queue_id).executeTakeFirstOrThrow()).scanned_seq;
    };
    // Polls within the same millisecond record the use of the queue once.
    await expect.poll(pollOnce).toBe(newest);
    const swept = new Map([[chat.realm.id, newest + 1]]);
    await sweep(chat.server.app.db, swept);
    expect(await oldestSeq()).toBeNull();
    await emit('after the sweep');
    expect(await queues.poll(ask({ ...queue, last_event_id }, true))).toMatchObject([
      { sender: { email: 'after the sweep' } },
    ]);
  });

  test('keeps the events that a queue has not acknowledged', async () => {
    const queues = await node({ heartbeatMs: 5, random: () => 0, recordUseMs: 1 });
    const queue = await register();
    await emitToOthers(5);
    await emit('unacknowledged');
    await emitToOthers(5);
    for (let polls = 0; polls < 3; polls++) await queues.poll(ask(queue));
    await sweep(chat.server.app.db, new Map([[chat.realm.id, Number.MAX_SAFE_INTEGER]]));
    expect(await queues.poll(ask(queue))).toMatchObject([{ sender: { email: 'unacknowledged' } }]);
  });

  test('is not kept by a queue that lags too far behind: the queue is deleted', async () => {
    const { kysely } = chat.server.app.db;
    const queue = await register();
    await emit('never read');
    await kysely
      .updateTable('event_counter')
      .set((row) => ({ last_seq: row('last_seq', '+', MAX_QUEUE_LAG) }))
      .execute();
    expect(
      await sweep(chat.server.app.db, new Map([[chat.realm.id, Number.MAX_SAFE_INTEGER]])),
    ).toEqual([queue.queue_id]);
    expect(await oldestSeq()).toBeNull();
    await expect((await node()).poll(ask(queue))).rejects.toMatchObject({
      code: 'BAD_EVENT_QUEUE_ID',
    });
  });
});

test('a catch-up with large events returns at most a megabyte and one event at a time', async () => {
  const queue = await register();
  const large = 'x'.repeat(300_000);
  await emit(...Array.from({ length: 10 }, (_, at) => `${at} ${large}`));
  const queues = await node();
  const received: string[] = [];
  let { last_event_id } = queue;
  for (;;) {
    const events = await queues.poll(ask({ ...queue, last_event_id }, true));
    if (events.length === 0) break;
    expect(events.length).toBeLessThanOrEqual(4);
    for (const event of events as unknown as { id: number; sender: { email: string } }[]) {
      received.push(event.sender.email.slice(0, 1));
      last_event_id = event.id;
    }
  }
  expect(received).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9']);
});

test('an event with more than a megabyte of fields for single users is delivered, and those after it', async () => {
  const queue = await register();
  const email = 'x'.repeat(2_000_000);
  await chat.server.app.change(chat.realm, async ({ emit: add }) =>
    add(
      {
        type: 'typing',
        op: 'start',
        message_type: 'direct',
        sender: { user_id: 0 as UserId, email: 'large' },
        recipients: [],
      },
      [reader.user.id],
      { users: { 0: { email } } },
    ),
  );
  await emit('after it');
  const queues = await node();
  const large = await queues.poll(ask(queue, true));
  expect(large).toMatchObject([{ sender: { email: 'large' } }]);
  const next = { ...queue, last_event_id: large[0]?.id ?? 0 };
  expect(await queues.poll(ask(next, true))).toMatchObject([{ sender: { email: 'after it' } }]);
});

test('a poll that begins while its queue is deleted does not wait for a heartbeat', async () => {
  const { db } = chat.server.app;
  const queues = await node();
  const queue = await register();
  // An event before the first poll of the node: the poll reads the log.
  await emitToOthers(1);
  const locked = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const lock = db.transaction(async (tx) => {
    await sql`lock table event in access exclusive mode`.execute(tx);
    locked.resolve();
    await release.promise;
  });
  await locked.promise;
  const poll = queues.poll(ask(queue));
  await expect.poll(() => waitingForLocks(chat), { timeout: 10_000 }).toBeGreaterThan(0);
  await chat.server.app.db.transaction((tx) => queues.remove(tx, reader.user, queue.queue_id));
  release.resolve();
  await lock;
  expect(await poll).toEqual([]);
});

test('a queue registered during a sweep loses no event', async () => {
  const { kysely } = chat.server.app.db;
  await kysely.deleteFrom('event_queue').execute();
  const swept = new Map();
  await sweep(chat.server.app.db, swept);
  const queue = { queue_id: crypto.randomUUID(), last_event_id: 0 };
  await chat.server.app.change(
    chat.realm,
    async ({ db }) => {
      queue.last_event_id = idAfter(await newestSeq(db, chat.realm.id));
      await emit('meanwhile');
      await sweep(chat.server.app.db, swept);
      await db
        .insertInto('event_queue')
        .values({
          id: queue.queue_id,
          realm_id: chat.realm.id,
          user_id: reader.user.id,
          registration: JSON.stringify({ event_types: null }),
          client: 'test',
          acknowledged_id: queue.last_event_id,
          scanned_seq: seqOf(queue.last_event_id),
          lifespan_seconds: 600,
        })
        .execute();
    },
    { snapshot: true },
  );
  const events = await (await node()).poll(ask(queue, true));
  expect(events).toMatchObject([{ sender: { email: 'meanwhile' } }]);
});
