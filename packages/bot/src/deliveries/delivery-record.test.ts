import { expect, test } from 'vitest';

import { memoryStore } from '../stores/memory-store.ts';
import type { JsonValue, Store } from '../stores/store.ts';
import { virtualClock } from '../testing/virtual-clock.ts';
import { delivered, FakeReplySender, testDispatcher } from './delivery-dispatcher.fixture.ts';

// What the random worlds of one-reply.test.ts do not reach.

const email = 'echo-bot@chat.test';
const delivery = delivered('hello', 'releases', 7);
const stored = JSON.parse(JSON.stringify(delivery)) as JsonValue;

const shared = (store: Store): Store => ({ ...store, singleProcess: false });

/** The states of the deliveries in a store. */
async function states(store: Store) {
  const keys = await store.list('');
  const values = await Promise.all(keys.map(async (key) => (await store.get(key))?.value));
  return Object.fromEntries(keys.map((key, at) => [key, values[at]]));
}

/** A bot whose handler counts its calls and takes so long. */
function countingBot(store: Store, { takes = 9000, order = 'queue' as 'queue' | 'latest' } = {}) {
  const replySender = new FakeReplySender();
  const calls: string[] = [];
  const clock = virtualClock();
  const setup = testDispatcher(
    (bot) =>
      bot.fallback(async (ctx) => {
        calls.push(ctx.text);
        await new Promise<void>((resolve) => void clock.after(takes, resolve));
        return `${ctx.text} done`;
      }),
    { replySender, store, order, clock },
  );
  return { ...setup, clock, replySender, calls };
}

test('a store for one process gets no entry for a delivery that is answered in time', async () => {
  const store = memoryStore();
  const { dispatcher, clock } = countingBot(store, { takes: 10 });
  const answer = dispatcher.accept(delivery);
  await clock.advance(100);
  expect(await answer).toEqual({ content: 'hello done' });
  expect(await states(store)).toEqual({});
});

test.each([
  ['one process', memoryStore],
  ['several processes', () => shared(memoryStore())],
])('a store for %s keeps one record of a late delivery after its end', async (_, makeStore) => {
  const store = makeStore();
  const { dispatcher, clock, replySender } = countingBot(store);
  const answer = dispatcher.accept(delivery);
  await clock.advance(8100);
  expect(await answer).toBeUndefined();
  expect(Object.keys(await states(store)).toSorted()).toEqual([
    `delivery:${email}:7`,
    `pending-reply:${email}:7`,
  ]);
  await clock.advance(2000);
  expect(replySender.sent).toEqual(['hello done']);
  expect(await states(store)).toEqual({
    [`delivery:${email}:7`]: { holder: null, value: { state: 'answered' } },
  });
});

test('after a restart a repeat of a late delivery that has ended is not handled again', async () => {
  const store = memoryStore();
  const before = countingBot(store);
  void before.dispatcher.accept(delivery);
  await before.clock.advance(10_000);
  const after = countingBot(store);
  const answer = after.dispatcher.accept(delivery);
  await after.clock.advance(10_000);
  expect(await answer).toBeUndefined();
  expect(after.calls).toEqual([]);
  expect(after.outcomes()).toEqual(['repeated']);
});

test('a repeat of a late delivery that the version before has ended is not handled again', async () => {
  const store = memoryStore();
  await store.set(`ended:${email}`, [7]);
  const after = countingBot(store);
  const answer = after.dispatcher.accept(delivery);
  await after.clock.advance(10_000);
  expect(await answer).toBeUndefined();
  expect(after.outcomes()).toEqual(['repeated']);
});

test('a process that died before the store had its record leaves an entry of the list, and the delivery is handled again', async () => {
  const store = memoryStore();
  await store.set(`pending-reply:${email}:7`, { delivery: stored, reply: null });
  const { clock, replySender, calls } = countingBot(store);
  await clock.advance(10_000);
  expect(calls).toEqual(['hello']);
  expect(replySender.sent).toEqual(['hello done']);
});

test('of a delivery that the version before has left while sending, the reply is sent unless it is there', async () => {
  for (const sent of [[], ['hello done']]) {
    const store = memoryStore();
    const reply = { content: 'hello done' };
    await store.set(`pending-reply:${email}:7`, { delivery: stored, reply });
    const { clock, replySender, calls } = countingBot(store);
    replySender.sent.push(...sent);
    await clock.advance(10_000);
    expect(calls).toEqual([]);
    expect(replySender.sent).toEqual(['hello done']);
    expect(Object.keys(await states(store))).toEqual([`delivery:${email}:7`]);
  }
});

test('an entry of the list whose delivery has ended is removed', async () => {
  for (const store of [memoryStore(), shared(memoryStore())]) {
    await store.set(`pending-reply:${email}:7`, { delivery: stored, reply: null });
    await store.set(`delivery:${email}:7`, { holder: null, value: { state: 'answered' } });
    const { clock, calls } = countingBot(store);
    await clock.advance(100);
    expect(Object.keys(await states(store))).toEqual([`delivery:${email}:7`]);
    expect(calls).toEqual([]);
  }
});

test('a late delivery of a process that lives is left to it', async () => {
  const store = shared(memoryStore());
  const living = countingBot(store, { takes: 200_000 });
  void living.dispatcher.accept(delivery);
  await living.clock.advance(8100);
  const other = countingBot(store);
  for (let minute = 0; minute < 3; minute++)
    for (let at = 0; at < 12; at++) {
      await living.clock.advance(5000);
      await other.clock.advance(5000);
    }
  expect(other.calls).toEqual([]);
  expect(other.reports).toEqual([]);
  // Nothing here waits for the other process: this one may end.
  await other.dispatcher.idle();
  await living.clock.advance(60_000);
  expect(living.replySender.sent).toEqual(['hello done']);
});

test('a late delivery of a dead process waits for its turn, also with order latest', async () => {
  for (const order of ['queue', 'latest'] as const) {
    const store = memoryStore();
    for (const id of [7, 8])
      await store.set(`pending-reply:${email}:${id}`, {
        delivery: JSON.parse(JSON.stringify(delivered(`m${id}`, 'releases', id))) as JsonValue,
        reply: null,
      });
    const { clock, replySender, calls } = countingBot(store, { order });
    await clock.advance(5000);
    expect(calls).toHaveLength(1);
    await clock.advance(20_000);
    expect(replySender.sent.toSorted()).toEqual(['m7 done', 'm8 done']);
  }
});

test('a claim that nobody ends expires after a day', async () => {
  let now = 0;
  const store = shared(memoryStore({ now: () => now }));
  const { dispatcher, clock } = countingBot(store);
  void dispatcher.accept(delivery);
  await clock.advance(100);
  expect(Object.keys(await states(store))).toEqual([`delivery:${email}:7`]);
  now += 25 * 60 * 60_000;
  expect(await states(store)).toEqual({});
});

test('a process that has lost its claim does not answer with a reply that it held', async () => {
  const store = shared(memoryStore());
  const clock = virtualClock();
  const replySender = new FakeReplySender();
  const { dispatcher, warnings } = testDispatcher(
    (bot) =>
      bot.fallback(async (ctx) => {
        await new Promise<void>((resolve) => void clock.after(4980, resolve));
        await ctx.reply('held');
        await new Promise<void>((resolve) => void clock.after(4980, resolve));
      }),
    { replySender, store, clock },
  );
  const answer = dispatcher.accept(delivery);
  await clock.advance(1000);
  // Another process takes the delivery over; this one sees it when it renews its claim after 5 s.
  await store.set(`delivery:${email}:7`, { holder: 'other', value: { state: 'handling' } });
  await clock.advance(10_000);
  expect(await answer).toBeUndefined();
  expect(replySender.sent).toEqual([]);
  expect(warnings).toMatchObject([{ code: 'store_failed' }]);
});

test('a late reply without an API key is reported as one in the answer', async () => {
  const clock = virtualClock();
  const { dispatcher, reports } = testDispatcher(
    (bot) =>
      bot.fallback(async () => {
        await new Promise<void>((resolve) => void clock.after(9000, resolve));
        return 'late';
      }),
    { clock },
  );
  const answer = dispatcher.accept(delivery);
  await clock.advance(10_000);
  expect(await answer).toEqual({ content: 'late' });
  expect(reports).toMatchObject([{ outcome: 'replied', via: 'response' }]);
});
