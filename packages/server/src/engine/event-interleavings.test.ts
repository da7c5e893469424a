import type { Database } from '@bellhop/postgres';
import type { RealmId, UserId } from '@bellhop/protocol';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { type Person, startTestChat, type TestChat } from '../test-chat.fixture.ts';
import { EventQueues } from './event-queues.ts';
import { sweep } from './event-sweep.ts';
import type { Tables } from './tables.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startTestChat();
});
afterAll(() => chat[Symbol.asyncDispose]());

type Step =
  | { readonly do: 'register' }
  | { readonly do: 'emit'; readonly count: number; readonly toAll: boolean }
  | { readonly do: 'poll'; readonly queue: number; readonly node: 0 | 1; readonly lost: boolean }
  | { readonly do: 'sweep'; readonly node: 0 | 1 }
  | { readonly do: 'restart'; readonly node: 0 | 1 };

const node = fc.constantFrom(0 as const, 1 as const);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('register' as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('emit' as const),
      count: fc.integer({ min: 1, max: 3 }),
      toAll: fc.boolean(),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('poll' as const),
      queue: fc.nat(9),
      node,
      lost: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('sweep' as const), node }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const), node }) },
);

/** Two nodes with connections of their own on one database, and the events that the queues of one user should receive. */
class Model {
  readonly #nodes: EventQueues[] = [];
  /** Closed at the end: a poll may run on a node that stops. */
  readonly #databases: Database<Tables>[] = [];
  readonly #swept = [new Map<RealmId, number>(), new Map<RealmId, number>()];
  readonly #reader: Person = chat.people.cordelia;
  readonly #queues: PolledQueue[] = [];
  readonly #emitted: EmittedEvent[] = [];
  /** A logical clock: increases whenever a registration or a change begins or ends. */
  #time = 0;
  #isOver = false;

  async restart(at: 0 | 1): Promise<void> {
    this.#nodes[at]?.stop();
    const db = await chat.openDatabase();
    this.#databases.push(db);
    const fresh = new EventQueues({
      db,
      presenters: {},
      shownToGuest: async (_guest, events) => events,
      onError: (error) => {
        // A node that has stopped may still be reading when its database is closed.
        if (!this.#isOver) throw error;
      },
    });
    await fresh.start();
    // Another restart of this node may have begun meanwhile.
    this.#nodes[at]?.stop();
    this.#nodes[at] = fresh;
  }

  async do(one: Step): Promise<unknown> {
    switch (one.do) {
      case 'register':
        return this.#register();
      case 'emit':
        return this.#emit(one.count, one.toAll);
      case 'poll':
        return this.#poll(one);
      case 'sweep':
        return sweep(chat.server.app.db, this.#swept[one.node] ?? new Map());
      default:
        return this.restart(one.node);
    }
  }

  async #register(): Promise<void> {
    const begun = ++this.#time;
    const { queue_id, last_event_id } = await this.#reader.client.queues.register({
      event_types: ['typing'],
      fetch_event_types: [],
    });
    if (queue_id === null) throw new Error('no queue');
    const done = ++this.#time;
    this.#queues.push({ queue_id, last_event_id, begun, done, received: [], polling: false });
  }

  async #emit(count: number, toAll: boolean): Promise<void> {
    const { hamlet } = chat.people;
    const event = { begun: ++this.#time, done: Infinity, toAll };
    const first = this.#emitted.length;
    const events = Array.from({ length: count }, () => ({ ...event }));
    this.#emitted.push(...events);
    await chat.server.app.change(chat.realm, async ({ emit }) => {
      for (const at of events.keys())
        emit(
          {
            type: 'typing',
            op: 'start',
            message_type: 'direct',
            sender: { user_id: 0 as UserId, email: String(first + at) },
            recipients: [],
          },
          [hamlet.user.id, ...(toAll ? [this.#reader.user.id] : [])],
        );
    });
    const done = ++this.#time;
    for (const one of events) one.done = done;
  }

  /** Polls once. A lost response is not acknowledged. */
  async #poll({ queue: which, node: at, lost }: { queue: number; node: 0 | 1; lost: boolean }) {
    const queue = this.#queues[which % Math.max(1, this.#queues.length)];
    const queues = this.#nodes[at];
    if (!queue || !queues || queue.polling) return;
    queue.polling = true;
    const events = await queues.poll({
      realm: chat.realm.id,
      user_id: this.#reader.user.id,
      queue_id: queue.queue_id,
      last_event_id: queue.last_event_id,
      dont_block: true,
      signal: new AbortController().signal,
    });
    queue.polling = false;
    if (lost) return;
    for (const event of events) {
      expect(event.id).toBeGreaterThan(queue.last_event_id);
      queue.last_event_id = event.id;
      queue.received.push(Number((event as unknown as { sender: { email: string } }).sender.email));
    }
  }

  /**
   * Expects that every queue received all events emitted after its registration, each once, in
   * order.
   */
  async check(): Promise<void> {
    for (const [which, queue] of this.#queues.entries()) {
      for (const at of [0, 1] as const) await this.#poll({ queue: which, node: at, lost: false });
      const { received, begun, done } = queue;
      expect(new Set(received).size).toBe(received.length);
      const due = this.#emitted.flatMap((one, index) =>
        one.toAll && one.begun > done ? [index] : [],
      );
      expect(received.filter((index) => due.includes(index)).length).toBe(due.length);
      for (const index of received) expect(this.#emitted[index]?.done).toBeGreaterThan(begun);
      for (const [at, index] of received.entries())
        for (const later of received.slice(at + 1))
          expect(this.#emitted[later]?.done).toBeGreaterThan(this.#emitted[index]?.begun ?? 0);
    }
  }

  async end(): Promise<void> {
    this.#isOver = true;
    for (const one of this.#nodes) one.stop();
    await Promise.all(this.#databases.map((database) => database.close()));
    await chat.server.app.db.kysely.deleteFrom('event_queue').execute();
  }
}
interface PolledQueue {
  readonly queue_id: string;
  readonly begun: number;
  readonly done: number;
  /** The indexes of the received events in the list of emitted ones. */
  readonly received: number[];
  last_event_id: number;
  polling: boolean;
}
interface EmittedEvent {
  readonly begun: number;
  readonly toAll: boolean;
  done: number;
}

test('no queue loses, repeats or reorders an event under interleaved polls, sweeps and restarts', async () => {
  const concurrent = fc.array(step, { minLength: 1, maxLength: 3 });
  // `interruptAfterTimeLimit` would leave a model behind that still runs.
  const end = performance.now() + 12_000;
  await fc.assert(
    fc.asyncProperty(fc.array(concurrent, { minLength: 5, maxLength: 25 }), async (batches) => {
      if (performance.now() > end) return;
      const model = new Model();
      try {
        await model.restart(0);
        await model.restart(1);
        for (const batch of batches) await Promise.all(batch.map((one) => model.do(one)));
        await model.check();
      } finally {
        await model.end();
      }
    }),
    { numRuns: 40 },
  );
});
