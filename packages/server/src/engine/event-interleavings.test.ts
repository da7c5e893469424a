import type { RealmId, UserId } from '@bellhop/protocol';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { type Person, startTestChat, type TestChat } from '../test-chat.fixture.ts';
import { EventQueues } from './event-queues.ts';
import { sweep } from './event-sweep.ts';

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

/** Two nodes on one database, and what the readers of it should have seen. */
class World {
  readonly #nodes: EventQueues[] = [];
  readonly #swept = [new Map<RealmId, number>(), new Map<RealmId, number>()];
  readonly #reader: Person = chat.people.cordelia;
  readonly #queues: Reading[] = [];
  readonly #emitted: Emitted[] = [];
  /** Grows with everything that begins or ends. */
  #time = 0;

  async restart(at: 0 | 1): Promise<void> {
    this.#nodes[at]?.stop();
    const { db } = chat.server.app;
    const fresh = new EventQueues({
      db,
      presenters: {},
      onError: (error) => {
        throw error;
      },
    });
    await fresh.start();
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
        return sweep(chat.server.app.db.kysely, this.#swept[one.node] ?? new Map());
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
    this.#queues.push({ queue_id, last_event_id, begun, done, marks: [], polling: false });
  }

  async #emit(count: number, toAll: boolean): Promise<void> {
    const { hamlet } = chat.people;
    const mark = { begun: ++this.#time, done: Infinity, toAll };
    const first = this.#emitted.length;
    const marks = Array.from({ length: count }, () => ({ ...mark }));
    this.#emitted.push(...marks);
    await chat.server.app.change(chat.realm, async ({ emit }) => {
      for (const at of marks.keys())
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
    for (const one of marks) one.done = done;
  }

  /** One poll; a lost answer is not acknowledged. */
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
      queue.marks.push(Number((event as unknown as { sender: { email: string } }).sender.email));
    }
  }

  /** Every queue got all of its events since it was made, each once and in order. */
  async check(): Promise<void> {
    for (const [which, queue] of this.#queues.entries()) {
      for (const at of [0, 1] as const) await this.#poll({ queue: which, node: at, lost: false });
      const { marks, begun, done } = queue;
      expect(new Set(marks).size).toBe(marks.length);
      const due = this.#emitted.flatMap((one, mark) =>
        one.toAll && one.begun > done ? [mark] : [],
      );
      expect(marks.filter((mark) => due.includes(mark)).length).toBe(due.length);
      for (const mark of marks) expect(this.#emitted[mark]?.done).toBeGreaterThan(begun);
      for (const [at, mark] of marks.entries())
        for (const later of marks.slice(at + 1))
          expect(this.#emitted[later]?.done).toBeGreaterThan(this.#emitted[mark]?.begun ?? 0);
    }
  }

  async end(): Promise<void> {
    for (const one of this.#nodes) one.stop();
    await chat.server.app.db.kysely.deleteFrom('event_queue').execute();
  }
}
interface Reading {
  readonly queue_id: string;
  readonly begun: number;
  readonly done: number;
  readonly marks: number[];
  last_event_id: number;
  polling: boolean;
}
interface Emitted {
  readonly begun: number;
  readonly toAll: boolean;
  done: number;
}

test('no queue misses an event or gets one twice, whatever happens in whichever order', async () => {
  const together = fc.array(step, { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(fc.array(together, { minLength: 5, maxLength: 25 }), async (batches) => {
      const world = new World();
      try {
        await world.restart(0);
        await world.restart(1);
        for (const batch of batches) await Promise.all(batch.map((one) => world.do(one)));
        await world.check();
      } finally {
        await world.end();
      }
    }),
    { numRuns: 40, interruptAfterTimeLimit: 12_000 },
  );
});
