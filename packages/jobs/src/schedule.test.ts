import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';

import { dead, done, retry } from './attempt-result.ts';
import { attemptsOf } from './attempts-of.ts';
import { type EnqueueOptions } from './enqueue.ts';
import { replay } from './replay.ts';
import { eventually, noteJob, testQueue } from './test-queue.fixture.ts';

type Queue = Awaited<ReturnType<typeof testQueue>>;

/** An hour ahead: a job that is due by the clock of the database is due, however long these tests take. */
const start = Date.now() + 3_600_000;
/** Longer than each step of the clock: a claim that began before a step keeps its job. */
const leaseSeconds = 7200;

/** A clock for the workers that moves only when set. */
function virtualClock() {
  let time = start;
  return { now: () => time, set: (to: number) => (time = to) };
}

/** Resolves when the workers have looked for due jobs again: they have run the marker. */
async function nextLook(queue: Queue, marker: ReturnType<typeof noteJob>): Promise<void> {
  const id = await queue.add(marker, 'marker');
  await eventually(async () => expect((await queue.row(id)).state).toBe('done'));
}

test('retries run when the schedule says, and the job is dead after the last', async () => {
  await using queue = await testQueue();
  const clock = virtualClock();
  const marker = noteJob({ name: 'marker' });
  const failing = noteJob({
    retry: [5, 30, 300],
    run: async () => retry({ reason: 'no' }),
  });
  await queue.start([failing, marker], { now: clock.now, leaseSeconds, random: () => 0.5 });
  const id = await queue.add(failing, 'a');
  for (const [index, delay] of [5, 30, 300].entries()) {
    await eventually(async () => expect((await queue.row(id)).failures).toBe(index + 1));
    const due = clock.now() + delay * 1000;
    expect((await queue.row(id)).due_at.getTime()).toBe(due);
    clock.set(due - 1);
    await nextLook(queue, marker);
    expect((await queue.row(id)).attempt).toBe(index + 1);
    clock.set(due);
  }
  await eventually(async () => expect((await queue.row(id)).state).toBe('dead'));
  expect(await queue.row(id)).toMatchObject({ attempt: 4, failures: 4 });
});

test('afterSeconds delays a retry beyond the schedule', async () => {
  await using queue = await testQueue();
  const clock = virtualClock();
  const busy = noteJob({
    retry: [5],
    run: async () => retry({ reason: 'status 429', afterSeconds: 120 }),
  });
  await queue.start([busy], { now: clock.now });
  const id = await queue.add(busy, 'a');
  await eventually(async () => expect((await queue.row(id)).failures).toBe(1));
  expect((await queue.row(id)).due_at.getTime()).toBe(start + 120_000);
});

test('a job with runAt does not run before that time', async () => {
  await using queue = await testQueue();
  const clock = virtualClock();
  const marker = noteJob({ name: 'marker' });
  const noted = noteJob({});
  await queue.start([noted, marker], { now: clock.now });
  const options: EnqueueOptions = { runAt: new Date(start + 1000) };
  const id = await queue.add(noted, 'a', options);
  await nextLook(queue, marker);
  expect((await queue.row(id)).attempt).toBe(0);
  clock.set(start + 1000);
  await eventually(async () => expect((await queue.row(id)).state).toBe('done'));
});

test('a job with delayMs is due after this time on the clock of the database', async () => {
  await using queue = await testQueue();
  const id = await queue.add(noteJob({}), 'a', { delayMs: 90_000 });
  const { rows } = await sql<{ seconds: number }>`select
    extract(epoch from due_at - created_at)::float8 as seconds from job where id = ${id}`.execute(
    queue.database.kysely,
  );
  expect(rows[0]?.seconds).toBeCloseTo(90, 0);
});

test('replay runs a dead or done job again without counting a failure', async () => {
  await using queue = await testQueue();
  let works = false;
  const onDead = vi.fn(async () => {});
  const noted = noteJob({
    onDead,
    retry: [3600],
    run: async () => (works ? done() : dead({ reason: 'not now' })),
  });
  await queue.start([noted]);
  const id = await queue.add(noted, 'a');
  const isIn = (state: string, attempt: number) =>
    eventually(async () => expect(await queue.row(id)).toMatchObject({ state, attempt }));
  await isIn('dead', 1);
  expect(await queue.transaction((tx) => replay(tx, id))).toBe(true);
  await isIn('dead', 2);
  expect(await queue.row(id)).toMatchObject({ failures: 1 });
  expect(onDead).toHaveBeenCalledTimes(1);
  works = true;
  expect(await queue.transaction((tx) => replay(tx, id))).toBe(true);
  await isIn('done', 3);
  const attempts = await attemptsOf(queue.database.kysely, id);
  expect(attempts.map((attempt) => attempt.is_manual)).toEqual([false, true, true]);
  expect(await queue.transaction((tx) => replay(tx, id))).toBe(true);
  await isIn('done', 4);
});

test('replay returns false for a queued job and for a dedupe value in use', async () => {
  await using queue = await testQueue();
  const noted = noteJob({ run: async () => dead({ reason: 'no' }) });
  const waiting = await queue.add(noted, 'a', { runAt: new Date(start) });
  expect(await queue.transaction((tx) => replay(tx, waiting))).toBe(false);
  const first = await queue.add(noted, 'b', { dedupe: 'x' });
  const jobs = await queue.start([noted]);
  await eventually(async () => expect((await queue.row(first)).state).toBe('dead'));
  await jobs.stop();
  await queue.add(noted, 'c', { dedupe: 'x' });
  expect(await queue.transaction((tx) => replay(tx, first))).toBe(false);
});

test('a repeating job runs once per interval on three nodes, also after it died', async () => {
  await using queue = await testQueue();
  const clock = virtualClock();
  const hour = 3_600_000;
  clock.set(Math.ceil(start / hour) * hour + 1);
  const ran: number[] = [];
  const marker = noteJob({ name: 'marker' });
  const sweep = noteJob({
    name: 'sweep',
    everySeconds: 3600,
    run: async () => {
      ran.push(clock.now());
      if (ran.length === 2) throw new Error('dies and is still repeated');
    },
  });
  for (let node = 0; node < 3; node += 1) {
    await queue.start([sweep, marker], { now: clock.now, leaseSeconds });
  }
  const unfinished = async () => {
    const { rows } = await sql<{ state: string }>`select state from job
      where name = 'sweep' and state in ('queued', 'running')`.execute(queue.database.kysely);
    return rows.map(({ state }) => state);
  };
  const times: number[] = [];
  for (let turn = 1; turn <= 4; turn += 1) {
    await nextLook(queue, marker);
    expect(ran).toEqual(times);
    clock.set(Math.ceil(clock.now() / hour) * hour + turn);
    times.push(clock.now());
    await eventually(() => expect(ran).toEqual(times));
    // The clock may move only when the end of this run is written, and with it the next run.
    await eventually(async () => expect(await unfinished()).toEqual(['queued']));
  }
});

test('done jobs are deleted after 3 days with their attempts, dead jobs after 30', async () => {
  await using queue = await testQueue();
  const clock = virtualClock();
  const noted = noteJob({
    run: async ({ text }) => (text === 'dead' ? dead({ reason: '' }) : done()),
  });
  const ids = [await queue.add(noted, 'dead'), await queue.add(noted, 'done')] as const;
  const jobs = await queue.start([noted], { now: clock.now });
  await eventually(async () => expect((await queue.row(ids[0])).state).toBe('dead'));
  await eventually(async () => expect((await queue.row(ids[1])).state).toBe('done'));
  await jobs.stop();
  const day = 24 * 3_600_000;
  const restart = async (time: number) => {
    clock.set(time);
    await (await queue.start([noted], { now: clock.now })).stop();
  };
  await restart(start + 3 * day - 1);
  await queue.row(ids[1]);
  await restart(start + 3 * day + 1000);
  await expect(queue.row(ids[1])).rejects.toThrow('no such job');
  expect(await attemptsOf(queue.database.kysely, ids[1])).toEqual([]);
  expect((await queue.row(ids[0])).state).toBe('dead');
  await restart(start + 30 * day + 1000);
  await expect(queue.row(ids[0])).rejects.toThrow('no such job');
});
