import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { z } from 'zod';

import { dead, done, retry } from './attempt-result.ts';
import { attemptsOf } from './attempts-of.ts';
import { enqueue, enqueueAll } from './enqueue.ts';
import { job } from './job.ts';
import { startJobs } from './start-jobs.ts';
import { eventually, noteJob, testQueue } from './test-queue.fixture.ts';

test('a job runs after its transaction has committed, with its payload and context', async () => {
  await using queue = await testQueue();
  const context = { greeting: 'hello' };
  const seen = Promise.withResolvers<unknown>();
  const greet = job<{ name: string }, typeof context>({
    name: 'greet',
    payload: z.object({ name: z.string() }),
    retry: [],
    timeoutMs: 5000,
    run: async (payload, { greeting }, attempt) => {
      seen.resolve([greeting, payload.name, attempt.number, attempt.isLast, attempt.jobId]);
      return done({ result: { ok: true } });
    },
  });
  const { database } = queue;
  await using _jobs = await startJobs({ database, jobs: [greet], context });
  const id = await database.transaction((tx) => enqueue(tx, greet, { name: 'Iago' }));
  expect(await seen.promise).toEqual(['hello', 'Iago', 1, true, id]);
  await eventually(async () => expect((await queue.row(id)).state).toBe('done'));
  expect((await queue.row(id)).result).toEqual({ ok: true });
});

test('a job of a rolled back transaction never runs', async () => {
  await using queue = await testQueue();
  const ran: string[] = [];
  const second = Promise.withResolvers<void>();
  const noted = noteJob({
    run: async ({ text }) => {
      ran.push(text);
      second.resolve();
    },
  });
  await queue.start([noted]);
  const failing = queue.transaction(async (tx) => {
    await enqueue(tx, noted, { text: 'rolled back' });
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  await queue.add(noted, 'committed');
  await second.promise;
  const { rows } = await sql<{ count: number }>`select count(*) from job`.execute(
    queue.database.kysely,
  );
  expect([ran, rows]).toEqual([['committed'], [{ count: 1 }]]);
});

test('an invalid payload makes enqueue reject and a stored job dead', async () => {
  await using queue = await testQueue();
  const noted = noteJob({});
  const wrong = queue.transaction((tx) => enqueue(tx, noted, JSON.parse('{"text": 1}')));
  await expect(wrong).rejects.toThrow('expected string');
  const id = await queue.add(noted, 'good');
  await sql`update job set payload = '{"text": 2}'`.execute(queue.database.kysely);
  await queue.start([noteJob({ retry: [1, 1] })]);
  await eventually(async () => expect((await queue.row(id)).state).toBe('dead'));
  expect((await queue.row(id)).reason).toContain('The payload is not valid');
});

test('enqueue and enqueueAll add no second unfinished job with the same dedupe value', async () => {
  await using queue = await testQueue();
  const noted = noteJob({});
  const first = await queue.add(noted, 'a', { dedupe: 'x' });
  expect(await queue.add(noted, 'b', { dedupe: 'x' })).toBe(first);
  const items = ['x', 'y', 'y'].map((dedupe) => ({ payload: { text: dedupe }, dedupe }));
  const ids = await queue.transaction((tx) => enqueueAll(tx, noted, items));
  expect(ids[0]).toBe(first);
  expect(new Set(ids).size).toBe(2);
  await queue.start([noted]);
  await eventually(async () => expect((await queue.row(first)).state).toBe('done'));
  expect(await queue.add(noted, 'c', { dedupe: 'x' })).not.toBe(first);
});

test('the writes of a result commit with it, or the attempt is retried', async () => {
  await using queue = await testQueue();
  await sql`create table written (text text)`.execute(queue.database.kysely);
  const insert = (text: string) => sql`insert into written values (${text})`;
  const follower = noteJob({ name: 'follower' });
  const noted = noteJob({
    retry: [3600],
    run: async ({ text }) => {
      const write = async (tx: Parameters<typeof enqueue>[0]) => {
        await insert(text).execute(tx);
        await enqueue(tx, follower, { text: `after ${text}` });
        tx.last(insert(`last ${text}`).compile(tx));
        if (text === 'broken') await sql`select 1 / 0`.execute(tx);
      };
      return text === 'retried' ? retry({ reason: 'later', write }) : done({ write });
    },
  });
  await queue.start([noted, follower], { concurrency: 1 });
  const ids = await Promise.all(
    ['fine', 'broken', 'retried'].map((text) => queue.add(noted, text)),
  );
  await eventually(async () => {
    const rows = await Promise.all(ids.map((id) => queue.row(id)));
    expect(rows.map(({ state, attempt }) => [state, attempt])).toEqual([
      ['done', 1],
      ['queued', 1],
      ['queued', 1],
    ]);
  });
  const { rows } = await sql<{ text: string }>`select text from written order by text`.execute(
    queue.database.kysely,
  );
  expect(rows.map((row) => row.text)).toEqual(['fine', 'last fine', 'last retried', 'retried']);
  const [attempt] = await attemptsOf(queue.database.kysely, ids[1] ?? '');
  expect(attempt).toMatchObject({
    outcome: 'retry',
    error: 'The writes of its result failed: division by zero',
  });
});

test('every attempt is recorded, and onDead runs when the job dies', async () => {
  await using queue = await testQueue();
  await sql`create table told (reason text)`.execute(queue.database.kysely);
  const noted = noteJob({
    retry: [0, 0, 0],
    run: async (_payload, _context, { number }) => {
      if (number === 1) throw new TypeError('no such host');
      if (number === 2) return retry({ reason: 'status 500', detail: { status: 500 } });
      return dead({ reason: 'gone', detail: { body: 'x'.repeat(50_000) } });
    },
    onDead: async (tx, { reason, payload }) => {
      await sql`insert into told values (${`${payload.text}: ${reason}`})`.execute(tx);
    },
  });
  const id = await queue.add(noted, 'a');
  await queue.start([noted]);
  await eventually(async () => expect((await queue.row(id)).state).toBe('dead'));
  const attempts = await attemptsOf(queue.database.kysely, id);
  expect(attempts.map(({ number, outcome, error }) => [number, outcome, error])).toEqual([
    [1, 'retry', 'TypeError: no such host'],
    [2, 'retry', 'status 500'],
    [3, 'dead', 'gone'],
  ]);
  expect(attempts[1]?.detail).toEqual({ status: 500 });
  expect(JSON.stringify(attempts[2]?.detail).length).toBeLessThan(40_000);
  const { rows } = await sql`select reason from told`.execute(queue.database.kysely);
  expect(rows).toEqual([{ reason: 'a: gone' }]);
});

test('an attempt over its time limit is aborted and counts as a failure', async () => {
  await using queue = await testQueue();
  const aborted = Promise.withResolvers<unknown>();
  const noted = noteJob({
    timeoutMs: 50,
    run: (_payload, _context, { signal }) => {
      signal.addEventListener('abort', () => aborted.resolve(signal.reason));
      return new Promise(() => {});
    },
  });
  const id = await queue.add(noted, 'a');
  await queue.start([noted]);
  await eventually(async () => expect((await queue.row(id)).state).toBe('dead'));
  expect(String(await aborted.promise)).toContain('Took longer than 50 ms');
  expect((await queue.row(id)).reason).toBe('Took longer than 50 ms');
});

test('statistics count queued and dead jobs, and the attempts of this node', async () => {
  await using queue = await testQueue();
  const noted = noteJob({
    run: async ({ text }) => (text === 'dead' ? dead({ reason: 'x' }) : done()),
  });
  const later = noteJob({ name: 'later', lane: 'other' });
  const ids = [await queue.add(noted, 'dead'), await queue.add(noted, 'fine')];
  await queue.add(later, 'a', { runAt: new Date(Date.now() + 3_600_000) });
  const jobs = await queue.start([noted]);
  await eventually(async () => {
    const states = await Promise.all(ids.map(async (id) => (await queue.row(id)).state));
    expect(states).toEqual(['dead', 'done']);
  });
  // A worker counts an attempt after the end that others see in the database.
  await eventually(async () =>
    expect(await jobs.statistics()).toEqual({
      jobs: [
        {
          name: 'later',
          lane: 'other',
          queued: 1,
          running: 0,
          dead: 0,
          oldestSeconds: expect.any(Number),
        },
        { name: 'note', lane: 'default', queued: 0, running: 0, dead: 1, oldestSeconds: 0 },
      ],
      dueAgeSeconds: 0,
      inFlight: 0,
      attempts: { done: 1, retry: 0, dead: 1, lost: 0, released: 0 },
    }),
  );
});
