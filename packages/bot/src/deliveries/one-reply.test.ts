import type { MessageId } from '@bellhop/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';

import type { Clock } from '../clock.ts';
import { createBot } from '../create-bot.ts';
import type { Delivery } from '../delivery.ts';
import type { Conversation } from '../rest/conversation.ts';
import type { ReplySender } from '../rest/reply-sender.ts';
import type { CheckedReply } from '../rest/reply.ts';
import { Runtime } from '../runtime.ts';
import { memoryStore } from '../stores/memory-store.ts';
import type { Store } from '../stores/store.ts';
import { virtualClock } from '../testing/virtual-clock.ts';
import { delivered } from './delivery-dispatcher.fixture.ts';

// A server, a bot of one or two processes and the network between them, on a virtual clock: with any
// failure each message gets its reply exactly once.

/** `npm run random` plays 20,000. */
const WORLDS = process.env['MODE'] === 'long' ? 20_000 : 300;
const SERVER_TIMEOUT = 10_000;
const RETRY_AFTER = 1000;
/** Long, so that the bot is often killed after the server has a reply and before its response arrives. */
const SENDING_TAKES = 4000;

interface Message {
  /** How long its handler takes, in milliseconds. */
  readonly takes: number;
  readonly result: 'reply' | 'silence' | 'failure';
  readonly sentAt: number;
  readonly topic: 'one' | 'other';
  /** Whether it is a reaction to an earlier message instead. */
  readonly isReaction: boolean;
  /** The attempts whose answers are lost. */
  readonly lost: readonly number[];
}

interface World {
  readonly messages: readonly Message[];
  /** When a process of the bot is killed, to be started again a second later. */
  readonly crashes: readonly { readonly at: number; readonly process: number }[];
  /** Which calls of the REST API fail, by their number, before or after they had their effect. */
  readonly faults: readonly { readonly call: number; readonly effect: boolean }[];
  /** How long a call of the store takes, in milliseconds. */
  readonly storeTakes: number;
}

const time = fc.integer({ min: 0, max: 40_000 });
const world: fc.Arbitrary<World> = fc.record({
  messages: fc.array(
    fc.record({
      takes: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 25_000 })),
      result: fc.constantFrom('reply', 'reply', 'silence', 'failure'),
      sentAt: time,
      topic: fc.constantFrom('one', 'other'),
      isReaction: fc.boolean(),
      lost: fc.uniqueArray(fc.integer({ min: 0, max: 2 }), { maxLength: 2 }),
    }),
    { minLength: 1, maxLength: 6 },
  ),
  crashes: fc.array(fc.record({ at: time, process: fc.integer({ min: 0, max: 1 }) }), {
    maxLength: 4,
  }),
  faults: fc.array(fc.record({ call: fc.integer({ min: 0, max: 8 }), effect: fc.boolean() }), {
    maxLength: 4,
  }),
  storeTakes: fc.constantFrom(0, 0, 50, 500),
});

/** The state of one process; killing it loses the state. */
class Life {
  ended = false;
  readonly killed = Promise.withResolvers<never>();

  constructor() {
    this.killed.promise.catch(() => {});
  }

  kill(): void {
    this.ended = true;
    this.killed.reject(new Error('connection reset'));
  }

  /** After the end calls have no effect and never resolve. */
  async act<T>(effect: () => T): Promise<T> {
    if (this.ended) return new Promise<never>(() => {});
    const result = effect();
    await Promise.resolve();
    return this.ended ? new Promise<never>(() => {}) : result;
  }
}

/** A process claims a delivery from a dead one after its own deadline, when the server has stopped listening. */
const claimedLate: World = {
  messages: [
    { takes: 0, result: 'reply', sentAt: 0, topic: 'one', isReaction: false, lost: [] },
    { takes: 7201, result: 'reply', sentAt: 800, topic: 'one', isReaction: false, lost: [] },
    { takes: 1, result: 'reply', sentAt: 0, topic: 'one', isReaction: false, lost: [] },
  ],
  crashes: [
    { at: 0, process: 1 },
    { at: 9501, process: 0 },
  ],
  faults: [],
  storeTakes: 500,
};

/** A late reply is sent, the process is killed, and then the server repeats the delivery: it got no answer. */
const endedBeforeRepeat: World = {
  messages: [
    { takes: 8001, result: 'reply', sentAt: 0, topic: 'one', isReaction: false, lost: [1] },
  ],
  crashes: [
    { at: 0, process: 0 },
    { at: 9502, process: 0 },
  ],
  faults: [{ call: 0, effect: true }],
  storeTakes: 0,
};

const same = (delivery: Delivery): Delivery => delivery;

/** A reaction to the message of a delivery. */
function reacted({ message, ...about }: Delivery): Delivery {
  const reaction = { emoji: 'tada', code: '1f389', isRemoved: false };
  const change = { id: `reaction ${message.id}`, by: message.sender, reaction };
  return { ...about, trigger: 'reaction', message, change };
}

interface Deployment {
  /** Two processes share the store. */
  readonly processes: 1 | 2;
  /** `webhook`: a process gets each attempt, in turns. `queue`: every process gets every message. */
  readonly transport: 'webhook' | 'queue';
}

async function play(
  { messages, crashes, faults, storeTakes }: World,
  { processes, transport }: Deployment,
) {
  const clock = virtualClock(0);
  // Its data outlive the processes.
  const storage = memoryStore({ now: clock.now });
  const visible = messages.map((): string[] => []);
  const deliveries = messages.map(({ topic, isReaction }, at) =>
    (isReaction ? reacted : same)(delivered(`m${at}`, topic, at + 1)),
  );
  const indexOf = ({ message }: Delivery) => message.id - 1;
  let calls = 0;

  function startBot() {
    const life = new Life();
    const itsClock: Clock = {
      now: clock.now,
      after: (ms, call) => clock.after(ms, () => void (life.ended || call())),
    };
    const inStore = async <T>(effect: () => Promise<T>): Promise<T> => {
      if (storeTakes > 0)
        await new Promise<void>((resolve) => void itsClock.after(storeTakes, resolve));
      return life.act(effect);
    };
    const store: Store = {
      singleProcess: processes === 1,
      get: (key) => inStore(() => storage.get(key)),
      set: (key, value, options) => inStore(() => storage.set(key, value, options)),
      delete: (key) => inStore(() => storage.delete(key)),
      list: (prefix) => inStore(() => storage.list(prefix)),
      close: async () => {},
    };
    const replySender: ReplySender = {
      send: async (_conversation: Conversation, { content }: CheckedReply) => {
        await life.act(() => {
          const fault = faults.find(({ call }) => call === calls);
          calls += 1;
          const of = Number(/^m(\d+)/.exec(content)?.[1]);
          if (fault?.effect !== false) visible[of]?.push(content);
          if (fault) throw new Error('no answer');
        });
        await new Promise<void>((resolve) => void itsClock.after(SENDING_TAKES, resolve));
      },
      hasSent: (_conversation: Conversation, _after: MessageId, content: string) =>
        life.act(() => visible.some((said) => said.includes(content))),
    };
    const made = createBot({ email: 'echo-bot@chat.test', token: 't', clock: itsClock, store })
      .on('reaction', (ctx) => handle(ctx))
      .fallback(async (ctx) => handle(ctx))
      .catch((_failure, ctx) => `${ctx.text} failed`);
    async function handle(ctx: { readonly text: string }) {
      const about = messages[Number(ctx.text.slice(1))];
      if (about === undefined) throw new Error('An unknown message');
      if (about.takes > 0)
        await new Promise<void>((resolve) => void itsClock.after(about.takes, resolve));
      if (about.result === 'failure') throw new Error('fails');
      return about.result === 'reply' ? `${ctx.text} done` : undefined;
    }
    const hooks = { onError: () => {}, onWarning: () => {} };
    const deadlineMs = transport === 'queue' ? Infinity : 8000;
    const instead = { replySender };
    const { dispatcher } = new Runtime(made, { hooks, deadlineMs, place: 'test', instead });
    return { life, dispatcher };
  }

  type Process = ReturnType<typeof startBot>;
  const running: (Process | undefined)[] = Array.from({ length: processes }, startBot);

  /** Delivers as the server does: again after time-outs and broken connections. */
  async function deliver(delivery: Delivery, lost: readonly number[]): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      const process = running[(delivery.message.id + attempt) % processes];
      if (process !== undefined) {
        const timeout = new Promise<never>(
          (_resolve, reject) =>
            void clock.after(SERVER_TIMEOUT, () => reject(new Error('timeout'))),
        );
        try {
          const answer = process.dispatcher.accept(delivery);
          const reply = await Promise.race([answer, process.life.killed.promise, timeout]);
          if (!lost.includes(attempt)) {
            if (reply) visible[indexOf(delivery)]?.push(reply.content);
            return;
          }
        } catch {
          // The next attempt follows below.
        }
      }
      await new Promise<void>((resolve) => void clock.after(RETRY_AFTER, resolve));
    }
  }

  // The deliveries that each process has noted as handled, over its restarts.
  const handled = running.map(() => new Set<Delivery>());
  const sent: Delivery[] = [];
  const receive = (at: number, delivery: Delivery) => {
    const process = running[at];
    if (process === undefined) return;
    const done = process.dispatcher.handle(delivery, { maybeSent: false });
    void done.then(() => process.life.ended || handled[at]?.add(delivery));
  };

  messages.forEach(({ sentAt, lost }, at) => {
    const delivery = deliveries[at];
    if (delivery === undefined) return;
    clock.after(sentAt, () => {
      sent.push(delivery);
      if (transport === 'webhook') void deliver(delivery, lost);
      else running.forEach((_process, process) => receive(process, delivery));
    });
  });
  for (const { at, process } of crashes)
    clock.after(at, () => {
      const place = process % processes;
      running[place]?.life.kill();
      running[place] = undefined;
      clock.after(1000, () => {
        if (running[place] !== undefined) return;
        running[place] = startBot();
        if (transport === 'webhook') return;
        for (const delivery of sent) if (!handled[place]?.has(delivery)) receive(place, delivery);
      });
    });
  await clock.advance(600_000);
  const keys = await storage.list('');
  const values = await Promise.all(keys.map((key) => storage.get(key)));
  return { visible, records: keys.map((key, at) => ({ key, value: values[at]?.value })) };
}

test.each<[string, Deployment]>([
  ['one process behind a webhook', { processes: 1, transport: 'webhook' }],
  ['two processes behind a webhook', { processes: 2, transport: 'webhook' }],
  ['two processes on the event queue', { processes: 2, transport: 'queue' }],
])(
  '%s: over crashes, lost answers and failed REST calls each message and reaction gets its reply exactly once',
  async (_, deployment) => {
    await fc.assert(
      fc.asyncProperty(world, async (happening) => {
        const { visible, records } = await play(happening, deployment);
        const wanted = happening.messages.map(({ result }, at) =>
          result === 'silence' ? [] : [result === 'reply' ? `m${at} done` : `m${at} failed`],
        );
        expect(visible).toEqual(wanted);
        expect(records.filter((record) => !isEnded(record))).toEqual([]);
      }),
      { numRuns: WORLDS, examples: [[endedBeforeRepeat], [claimedLate]] },
    );
  },
  WORLDS * 400,
);

/** A process that was killed after its answer and before its note has left the delivery `handling`. */
const isEnded = ({ key, value }: { readonly key: string; readonly value: unknown }) =>
  key.startsWith('delivery:') && /"state":"(?:answered|handling)"/.test(JSON.stringify(value));
