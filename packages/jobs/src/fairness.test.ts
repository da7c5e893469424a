import { sql } from 'kysely';
import { expect, test } from 'vitest';

import { done, retry } from './attempt-result.ts';
import { enqueueAll } from './enqueue.ts';
import { eventually, noteJob, testQueue } from './test-queue.fixture.ts';

test('a hanging key with a backlog of 500 jobs does not delay other keys', async () => {
  await using queue = await testQueue();
  const hanging: AbortSignal[] = [];
  const ran: string[] = [];
  const noted = noteJob({
    key: ({ text }) => text,
    run: async ({ text }, _context, { signal }) => {
      if (text !== 'hangs') return void ran.push(text);
      hanging.push(signal);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    },
  });
  const backlog = Array.from({ length: 500 }, () => ({ payload: { text: 'hangs' } }));
  await queue.transaction((tx) => enqueueAll(tx, noted, backlog));
  const others = Array.from({ length: 300 }, (_, index) => ({ payload: { text: `key ${index}` } }));
  await queue.transaction((tx) => enqueueAll(tx, noted, others));
  const jobs = await queue.start([noted], { concurrency: 8 });
  await eventually(() => expect(ran).toHaveLength(300));
  expect(hanging).toHaveLength(4);
  await jobs.stop(0);
});

test('an owner with 100 hanging keys does not delay the keys of other owners', async () => {
  await using queue = await testQueue();
  const hanging: AbortSignal[] = [];
  const ran: string[] = [];
  const noted = noteJob({
    key: ({ text }) => text,
    run: async ({ text }, _context, { signal }) => {
      if (!text.startsWith('hangs/')) return void ran.push(text);
      hanging.push(signal);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    },
  });
  const hangs = Array.from({ length: 1000 }, (_, at) => ({
    payload: { text: `hangs/${at % 100}` },
  }));
  await queue.transaction((tx) => enqueueAll(tx, noted, hangs));
  const others = Array.from({ length: 300 }, (_, at) => ({
    payload: { text: `${['one', 'two', 'three'][at % 3]}/${at}` },
  }));
  await queue.transaction((tx) => enqueueAll(tx, noted, others));
  const nodes = await Promise.all([1, 2].map(() => queue.start([noted], { concurrency: 24 })));
  await eventually(() => expect(ran).toHaveLength(300));
  expect(hanging).toHaveLength(16);
  for (const node of nodes) await node.stop(0);
});

test('a hanging key with a backlog leaves a quarter of the slots to other keys, if the job shares slots', async () => {
  await using queue = await testQueue();
  const hanging = new Map<string, number>();
  const ran: string[] = [];
  const noted = noteJob({
    key: ({ text }) => text,
    sharesSlots: true,
    run: async ({ text }, _context, { signal }) => {
      if (text === 'good') return void ran.push(text);
      hanging.set(text, (hanging.get(text) ?? 0) + 1);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    },
  });
  const copiesOf = (text: string, count: number) =>
    Array.from({ length: count }, () => ({ payload: { text } }));
  await queue.transaction((tx) => enqueueAll(tx, noted, copiesOf('bad', 500)));
  const jobs = await queue.start([noted], { concurrency: 8 });
  await eventually(() => expect(hanging.get('bad')).toBe(6));
  await queue.transaction((tx) => enqueueAll(tx, noted, copiesOf('good', 40)));
  await eventually(() => expect(ran).toHaveLength(40));
  expect([...hanging]).toEqual([['bad', 6]]);
  await jobs.stop(0);
});

test('a free slot goes to the key with the fewest attempts, if the job shares slots', async () => {
  await using queue = await testQueue();
  const order: string[] = [];
  const noted = noteJob({
    key: ({ text }) => text,
    sharesSlots: true,
    run: async ({ text }) => void order.push(text),
  });
  for (const text of ['old', 'old/with a slash', 'new'])
    await queue.transaction((tx) =>
      enqueueAll(
        tx,
        noted,
        Array.from({ length: 20 }, () => ({ payload: { text } })),
      ),
    );
  await queue.start([noted], { concurrency: 6 });
  await eventually(() => expect(order).toHaveLength(60));
  const first = Object.groupBy(order.slice(0, 6), (text) => text);
  expect(Object.values(first).map((runs) => runs?.length)).toEqual([2, 2, 2]);
});

test('three nodes together run at most four attempts of one key at a time', async () => {
  await using queue = await testQueue();
  const inFlight = new Map<string, number>();
  let most = 0;
  let ran = 0;
  const noted = noteJob({
    key: ({ text }) => text,
    run: async ({ text }) => {
      inFlight.set(text, (inFlight.get(text) ?? 0) + 1);
      most = Math.max(most, inFlight.get(text) ?? 0);
      await queue.database.kysely.executeQuery(
        sql`select pg_sleep(0.002)`.compile(queue.database.kysely),
      );
      inFlight.set(text, (inFlight.get(text) ?? 0) - 1);
      ran += 1;
    },
  });
  const items = Array.from({ length: 150 }, (_, index) => ({ payload: { text: `${index % 3}` } }));
  await queue.transaction((tx) => enqueueAll(tx, noted, items));
  for (let node = 0; node < 3; node += 1) await queue.start([noted]);
  await eventually(() => expect(ran).toBe(150));
  expect(most).toBe(4);
});

test('first attempts run before due retries', async () => {
  await using queue = await testQueue();
  const order: string[] = [];
  const noted = noteJob({
    retry: [0],
    run: async ({ text }, _context, { number }) => {
      order.push(`${text} ${number}`);
      return number === 1 ? retry({ reason: 'again' }) : done();
    },
  });
  const items = ['a', 'b', 'c', 'd'].map((text) => ({ payload: { text } }));
  await queue.transaction((tx) => enqueueAll(tx, noted, items));
  await queue.start([noted], { concurrency: 1 });
  await eventually(() => expect(order).toHaveLength(8));
  expect(order).toEqual(['a 1', 'b 1', 'c 1', 'd 1', 'a 2', 'b 2', 'c 2', 'd 2']);
});

test('a lane runs jobs while another lane is full', async () => {
  await using queue = await testQueue();
  const slow = noteJob({
    lane: 'slow',
    run: (_payload, _context, { signal }) =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
  });
  const quick = noteJob({ name: 'quick' });
  for (let index = 0; index < 3; index += 1) await queue.add(slow, 'x');
  const jobs = await queue.start([slow, quick], { concurrency: { slow: 2 } });
  const id = await queue.add(quick, 'a');
  await eventually(async () => expect((await queue.row(id)).state).toBe('done'));
  await eventually(async () => expect((await jobs.statistics()).inFlight).toBe(2));
  await jobs.stop(0);
});

test('four nodes run each of 1,000 jobs with 450 keys exactly once', async () => {
  await using queue = await testQueue();
  const runs = new Map<string, number>();
  const noted = noteJob({
    key: ({ text }) => `${Number(text) % 450}`,
    run: async ({ text }) => void runs.set(text, (runs.get(text) ?? 0) + 1),
  });
  const items = Array.from({ length: 1000 }, (_, index) => ({ payload: { text: `${index}` } }));
  await queue.transaction((tx) => enqueueAll(tx, noted, items));
  const nodes = await Promise.all([1, 2, 3, 4].map(() => queue.start([noted])));
  await eventually(() => expect(runs.size).toBe(1000));
  await Promise.all(nodes.map((node) => node.stop()));
  expect(Math.max(...runs.values())).toBe(1);
  const { rows } = await sql`select state, attempt, count(*) from job group by 1, 2`.execute(
    queue.database.kysely,
  );
  expect(rows).toEqual([{ state: 'done', attempt: 1, count: 1000 }]);
});
