import type { Database } from '@bellhop/postgres';
import type { UserId } from '@bellhop/protocol';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { addNumberedChannel } from '../resources/channels/channels.fixture.ts';
import { type Person, startTestChat, type TestChat } from '../test-chat.fixture.ts';
import { EVERYONE_LISTENING } from './audience.ts';
import type { Change } from './call.ts';
import { join, leave, MarkQueue, say, startNode } from './channel-events.fixture.ts';
import { ChannelMembers } from './channel-members.ts';
import { newestSeq, rowsAfter } from './event-log.ts';
import type { EventQueues } from './event-queues.ts';
import { sweep } from './event-sweep.ts';
import { LogTail } from './log-tail.ts';
import type { Tables } from './tables.ts';

let chat: TestChat;
const nodes: EventQueues[] = [];
const databases: Database<Tables>[] = [];
beforeAll(async () => (chat = await startTestChat()));
afterAll(() => chat[Symbol.asyncDispose]());
afterEach(async () => {
  for (const queues of nodes.splice(0)) queues.stop();
  for (const db of databases.splice(0)) await db.close();
  await chat.server.app.db.kysely.deleteFrom('event_queue').execute();
});

/** Starts the event queues of another node, with connections of its own. */
async function newNode(): Promise<EventQueues> {
  const db = await chat.openDatabase();
  databases.push(db);
  const queues = await startNode(db);
  nodes.push(queues);
  return queues;
}

const newChannel = async (...subscribers: readonly Person[]) =>
  (await addNumberedChannel(chat, subscribers)).id;

const change = (work: (made: Change) => Promise<unknown>) =>
  chat.server.app.change(chat.realm, work);

/** The ways in which a queue hears of what `act` does. */
const ways: readonly (readonly [
  string,
  (queue: MarkQueue, act: () => Promise<void>) => Promise<void>,
])[] = [
  [
    'waits on a node',
    async (queue, act) => {
      const queues = await newNode();
      let isOver = false;
      const acting = act().finally(() => (isOver = true));
      for (let quiet = 0; quiet < 3;) {
        const marks = await queue.poll(queues, { wait: true });
        quiet = isOver && marks.length === 0 ? quiet + 1 : 0;
      }
      await acting;
      await queue.rest(queues);
    },
  ],
  [
    'comes back to a node that has read on for others',
    async (queue, act) => {
      const queues = await newNode();
      const other = await MarkQueue.register(chat.people.desdemona);
      await other.poll(queues, { wait: true });
      await act();
      // Without an event for it, each poll of the other queue lets the node read on.
      for (let at = 0; at < 3; at += 1) await other.poll(queues, { wait: true });
      await queue.poll(queues, { wait: true });
      await queue.rest(queues);
    },
  ],
  [
    'comes to a node that has seen nothing',
    async (queue, act) => {
      await act();
      await queue.rest(await newNode());
    },
  ],
  [
    'comes back to a node that has forgotten everything',
    async (queue, act) => {
      const queues = await newNode();
      await queue.poll(queues, { wait: true });
      await act();
      queues.restart();
      await queue.rest(queues);
    },
  ],
];

describe.each(ways)('a queue that %s', (_way, hear) => {
  test('gets the events of a channel while its user is subscribed, in commits of their own', async () => {
    const { hamlet, cordelia } = chat.people;
    const id = await newChannel(cordelia);
    const queue = await MarkQueue.register(hamlet);
    await hear(queue, async () => {
      await change(async (made) => say(made, { channel: id, mark: 'before' }));
      await change((made) => join(made, id, hamlet));
      await change(async (made) => say(made, { channel: id, mark: 'first' }));
      await change((made) => leave(made, id, hamlet));
      await change(async (made) => say(made, { channel: id, mark: 'between' }));
      await change((made) => join(made, id, hamlet));
      await change(async (made) => say(made, { channel: id, mark: 'second' }));
      await change((made) => leave(made, id, hamlet));
      await change(async (made) => say(made, { channel: id, mark: 'after' }));
    });
    expect(queue.received).toEqual(['first', 'second']);
  });

  test('gets the events of a channel while its user is subscribed, in one commit', async () => {
    const { hamlet, cordelia } = chat.people;
    const id = await newChannel(cordelia, hamlet);
    const queue = await MarkQueue.register(hamlet);
    await hear(queue, () =>
      chat.server.app.change(chat.realm, async (made) => {
        say(made, { channel: id, mark: 'first' });
        await leave(made, id, hamlet);
        say(made, { channel: id, mark: 'between' });
        await join(made, id, hamlet);
        say(made, { channel: id, mark: 'second' });
      }),
    );
    expect(queue.received).toEqual(['first', 'second']);
  });

  test('gets them of a guest, and among more events than a node keeps and a page has', async () => {
    const { polonius, cordelia } = chat.people;
    const id = await newChannel(cordelia, polonius);
    const queue = await MarkQueue.register(polonius);
    const heard: string[] = [];
    await hear(queue, async () => {
      for (let round = 0; round < 4; round += 1) {
        await change(async (made) => {
          for (let at = 0; at < 180; at += 1) {
            say(made, { channel: id, mark: `${round} ${at}` });
            heard.push(`${round} ${at}`);
          }
        });
        await change((made) => leave(made, id, polonius));
        await change(async (made) => {
          for (let at = 0; at < 180; at += 1) say(made, { channel: id, mark: 'not for him' });
        });
        await change((made) => join(made, id, polonius));
      }
    });
    expect(queue.received).toEqual(heard);
  });

  test('gets the events of public channels once if it asked for them all, subscribed or not', async () => {
    const { hamlet, iago } = chat.people;
    const id = await newChannel(hamlet);
    const queue = await MarkQueue.register(iago, true);
    await hear(queue, async () => {
      await change(async (made) =>
        say(made, { channel: id, mark: 'outside', others: [EVERYONE_LISTENING] }),
      );
      await change((made) => join(made, id, iago));
      await change(async (made) =>
        say(made, { channel: id, mark: 'inside', others: [EVERYONE_LISTENING] }),
      );
      await change(async (made) => say(made, { channel: id, mark: 'hidden' }));
      await change((made) => leave(made, id, iago));
      await change(async (made) => say(made, { channel: id, mark: 'still hidden' }));
    });
    expect(queue.received).toEqual(['outside', 'inside', 'hidden']);
  });
});

test('the queues that a change ends get none of its events, also if it changes subscriptions first', async () => {
  const { hamlet, cordelia } = chat.people;
  const id = await newChannel(cordelia, hamlet);
  const queue = await MarkQueue.register(hamlet);
  const row = await chat.server.app.db.kysely
    .selectFrom('event_queue')
    .selectAll()
    .executeTakeFirstOrThrow();
  await change(async (made) => {
    await leave(made, id, cordelia);
    say(made, { channel: id, mark: 'of the change' });
    await made.endQueues([hamlet.user.id]);
  });
  // As if it had been registered at the same time, and escaped.
  await chat.server.app.db.kysely
    .insertInto('event_queue')
    .values({ ...row, registration: JSON.stringify(row.registration) })
    .execute();
  await expect(queue.poll(await newNode())).rejects.toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
  expect(queue.received).toEqual([]);
});

/** A node's reader of the log, and the subscribers of the events that it has read. */
async function followLog() {
  const failures: unknown[] = [];
  const tail = new LogTail(chat.server.app.db, (error) => failures.push(error));
  const heard: ReadonlySet<UserId>[] = [];
  await tail.follow(chat.realm.id, {
    receive: (events) => {
      for (const { subscribers } of events) heard.push(...subscribers);
    },
  });
  return { tail, heard, failures };
}

test('a node reads the subscribers of a channel once, and its events share them', async () => {
  const { hamlet, cordelia } = chat.people;
  const id = await newChannel(cordelia, hamlet);
  const { tail, heard, failures } = await followLog();
  for (let at = 1; at <= 3; at += 1) {
    await change(async (made) => say(made, { channel: id, mark: `${at}` }));
    tail.wake(chat.realm.id);
    await expect.poll(() => heard).toHaveLength(at);
  }
  expect(new Set(heard).size).toBe(1);
  expect(failures).toEqual([]);
});

test('a node that is so late that rows which it has not read were swept reads the subscribers again', async () => {
  const { hamlet, cordelia } = chat.people;
  const id = await newChannel(cordelia, hamlet);
  const { tail, heard, failures } = await followLog();
  await change(async (made) => say(made, { channel: id, mark: 'read in time' }));
  tail.wake(chat.realm.id);
  await expect.poll(() => heard).toEqual([new Set([cordelia.user.id, hamlet.user.id])]);
  await change((made) => leave(made, id, hamlet));
  await sweep(chat.server.app.db, new Map([[chat.realm.id, Number.MAX_SAFE_INTEGER]]));
  await change(async (made) => say(made, { channel: id, mark: 'read late' }));
  tail.wake(chat.realm.id);
  await expect.poll(() => heard.slice(1)).toEqual([new Set([cordelia.user.id])]);
  expect(failures).toEqual([]);
});

test('the subscribers of a channel that was forgotten are read again as of the next event', async () => {
  const { hamlet, cordelia, iago } = chat.people;
  const channels = [await newChannel(hamlet), await newChannel(cordelia), await newChannel(iago)];
  const { kysely } = chat.server.app.db;
  const start = await newestSeq(kysely, chat.realm.id);
  for (let round = 0; round < 3; round += 1)
    for (const id of channels) {
      await change(async (made) => say(made, { channel: id, mark: `${round}` }));
      await change((made) => (round % 2 ? leave : join)(made, id, chat.people.shiva));
    }
  const rows = await rowsAfter(kysely, chat.realm.id, start);
  const read = async (max?: number) => {
    const members = new ChannelMembers({ realm: chat.realm.id }, max);
    const found: UserId[][] = [];
    for (const row of rows) {
      const loaded = await members.load(kysely, [row], row.seq - 1);
      for (const { subscribers } of members.resolve([row], loaded))
        found.push(subscribers.flatMap((of) => [...of]).toSorted((a, b) => a - b));
    }
    return found;
  };
  const [first, second, third] = [hamlet, cordelia, iago].map(({ user }) => user.id);
  const shiva = chat.people.shiva.user.id;
  const alone = [[first], [second], [third]];
  const together = alone.map((ids) => [shiva, ...ids].toSorted((a, b) => Number(a) - Number(b)));
  expect(await read()).toEqual([...alone, ...together, ...alone]);
  expect(await read(4)).toEqual([...alone, ...together, ...alone]);
});
