import type { Database } from '@bellhop/postgres';
import type { ChannelId, RealmId, UserId } from '@bellhop/protocol';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { addNumberedChannel } from '../resources/channels/channels.fixture.ts';
import { type Person, startTestChat, type TestChat } from '../test-chat.fixture.ts';
import type { Change } from './call.ts';
import { join, leave, MarkQueue, say, startNode } from './channel-events.fixture.ts';
import type { EventQueues } from './event-queues.ts';
import { sweep } from './event-sweep.ts';
import type { Tables } from './tables.ts';

let chat: TestChat;
beforeAll(async () => (chat = await startTestChat()));
afterAll(() => chat[Symbol.asyncDispose]());

const newChannel = async (...subscribers: readonly Person[]) =>
  (await addNumberedChannel(chat, subscribers)).id;

type Step =
  | { readonly do: 'join' | 'leave'; readonly user: 0 | 1; readonly channel: 0 | 1 }
  | { readonly do: 'say'; readonly count: number; readonly channel: 0 | 1 }
  | { readonly do: 'say around changes'; readonly user: 0 | 1; readonly channel: 0 | 1 }
  | { readonly do: 'poll'; readonly queue: number; readonly node: 0 | 1; readonly wait: boolean }
  | { readonly do: 'restart'; readonly node: 0 | 1 }
  | { readonly do: 'sweep' };

const either = fc.constantFrom(0 as const, 1 as const);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('join' as const, 'leave' as const),
      user: either,
      channel: either,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('say' as const),
      count: fc.constantFrom(1, 1, 1, 2, 60, 130),
      channel: either,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('say around changes' as const),
      user: either,
      channel: either,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('poll' as const),
      queue: fc.nat(3),
      node: either,
      wait: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const), node: either }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('sweep' as const) }) },
);

/** Two users with two queues each, on two nodes, and what they should hear of two channels. */
class Model {
  readonly #users = [chat.people.hamlet, chat.people.polonius] as const;
  readonly #channels: readonly [ChannelId, ChannelId];
  readonly #queues: readonly MarkQueue[];
  readonly #nodes: readonly EventQueues[];
  readonly #swept = new Map<RealmId, number>();
  readonly #due = new Map<UserId, number[]>(this.#users.map(({ user }) => [user.id, []]));
  #said = 0;

  private constructor(
    channels: readonly [ChannelId, ChannelId],
    queues: readonly MarkQueue[],
    nodes: readonly EventQueues[],
  ) {
    this.#channels = channels;
    this.#queues = queues;
    this.#nodes = nodes;
  }

  static async start(databases: readonly Database<Tables>[]): Promise<Model> {
    const { hamlet, polonius } = chat.people;
    const channels = [await newChannel(hamlet), await newChannel()] as const;
    const queues = [hamlet, polonius, hamlet, polonius].map((one) => MarkQueue.register(one));
    return new Model(
      channels,
      await Promise.all(queues),
      await Promise.all(databases.map(startNode)),
    );
  }

  async do(one: Step): Promise<void> {
    switch (one.do) {
      case 'join':
      case 'leave':
        await chat.server.app.change(chat.realm, (made) =>
          this.#changeMember(made, one, one.do === 'join'),
        );
        return;
      case 'say':
        return this.#inOrder(async (made, heard) => {
          for (let at = 0; at < one.count; at += 1) await this.#say(made, one.channel, heard);
        });
      case 'say around changes':
        return this.#inOrder(async (made, heard) => {
          for (const isMember of [true, false, true]) {
            await this.#changeMember(made, one, isMember);
            await this.#say(made, one.channel, heard);
          }
        });
      case 'poll':
        return this.#poll(one);
      case 'restart':
        return this.#nodes[one.node]?.restart();
      default:
        await sweep(chat.server.app.db, this.#swept);
    }
  }

  /** Runs a change that has its place in the log from the start: what it reads is as of that place. */
  async #inOrder(work: (made: Change, heard: Heard[]) => Promise<void>): Promise<void> {
    let heard: Heard[] = [];
    await chat.server.app.change(chat.realm, async (made) => {
      // After a deadlock the work runs again.
      heard = [];
      await sql`select from event_counter where realm_id = ${chat.realm.id} for update`.execute(
        made.db,
      );
      await work(made, heard);
    });
    for (const { user_id, mark } of heard) this.#due.get(user_id)?.push(mark);
  }

  async #changeMember(
    made: Change,
    { user, channel }: { readonly user: 0 | 1; readonly channel: 0 | 1 },
    isMember: boolean,
  ): Promise<void> {
    await (isMember ? join : leave)(made, this.#channels[channel], this.#users[user]);
  }

  async #say(made: Change, at: 0 | 1, heard: Heard[]): Promise<void> {
    const channel = this.#channels[at];
    this.#said += 1;
    const mark = this.#said;
    const members = await made.db
      .selectFrom('subscription')
      .select('user_id')
      .where('realm_id', '=', chat.realm.id)
      .where('channel_id', '=', channel)
      .where('is_active', '=', true)
      .execute();
    for (const { user_id } of members) heard.push({ user_id, mark });
    say(made, { channel, mark: String(mark) });
  }

  async #poll({ queue, node, wait }: Extract<Step, { do: 'poll' }>): Promise<void> {
    const queues = this.#nodes[node];
    if (queues) await this.#queues[queue]?.poll(queues, { wait });
  }

  /** Expects that every queue got what was said while its user was subscribed, once and in order. */
  async check(): Promise<void> {
    for (const [at, queue] of this.#queues.entries()) {
      const queues = this.#nodes[at < 2 ? 0 : 1];
      const user = this.#users[at % 2 === 0 ? 0 : 1];
      if (!queues) throw new Error('no node');
      const due = this.#due.get(user.user.id)?.toSorted((a, b) => a - b);
      expect(await queue.rest(queues)).toEqual(due?.map(String));
    }
  }

  async end(): Promise<void> {
    for (const queues of this.#nodes) queues.stop();
    await chat.server.app.db.kysely.deleteFrom('event_queue').execute();
  }
}
interface Heard {
  readonly user_id: UserId;
  readonly mark: number;
}

test('every queue gets exactly what its user was subscribed for, under interleaved changes, polls, sweeps and restarts', async () => {
  const databases = [await chat.openDatabase(), await chat.openDatabase()];
  const concurrent = fc.array(step, { minLength: 1, maxLength: 4 });
  // `interruptAfterTimeLimit` would leave a model behind that still runs.
  const end = performance.now() + 12_000;
  await fc.assert(
    fc.asyncProperty(fc.array(concurrent, { minLength: 5, maxLength: 25 }), async (batches) => {
      if (performance.now() > end) return;
      const model = await Model.start(databases);
      try {
        for (const batch of batches) await Promise.all(batch.map((one) => model.do(one)));
        await model.check();
      } finally {
        await model.end();
      }
    }),
    { numRuns: 40 },
  );
  for (const db of databases) await db.close();
}, 60_000);
