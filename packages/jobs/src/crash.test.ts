import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import { sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';

import { done } from './attempt-result.ts';
import { attemptsOf } from './attempts-of.ts';
import { eventually, noteJob, testQueue } from './test-queue.fixture.ts';

/**
 * A worker in its own process, for the job 'note'. A run prints 'started', waits for a line, and
 * returns a result that writes into the table `written`.
 */
async function startWorker(url: string) {
  const module = (name: string) => JSON.stringify(new URL(name, import.meta.url).href);
  const code = `
    import { once } from 'node:events';
    import { sql } from 'kysely';
    import { openDatabase } from '@bellhop/postgres';
    const { noteJob } = await import(${module('test-queue.fixture.ts')});
    const { startJobs } = await import(${module('start-jobs.ts')});
    const { done } = await import(${module('attempt-result.ts')});
    const database = await openDatabase(${JSON.stringify(url)});
    const note = noteJob({ retry: [0, 0], run: async () => {
      console.log('started');
      await once(process.stdin, 'data');
      return done({ write: async (tx) => {
        console.log('writing');
        await sql\`insert into written values ('child')\`.execute(tx);
      } });
    } });
    const jobs = await startJobs({ database, jobs: [note], context: null });
    console.log('ready');
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      const { attempts } = await jobs.statistics();
      if (attempts.lost > 0) { console.log('lost'); break; }
    }`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    cwd: new URL('.', import.meta.url),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  onTestFinished(() => end(child));
  const printed = (line: string) => eventually(() => expect(lines).toContain(line));
  await printed('ready');
  return { child, lines, printed };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

const here = noteJob({
  retry: [0, 0],
  run: async () => done({ write: (tx) => sql`insert into written values ('here')`.execute(tx) }),
});

async function queueWithTable() {
  const queue = await testQueue();
  await sql`create table written (by text)`.execute(queue.database.kysely);
  const written = async () =>
    (await sql<{ by: string }>`select by from written`.execute(queue.database.kysely)).rows.map(
      (row) => row.by,
    );
  return { ...queue, written };
}

test('another worker runs the job of a killed worker', async () => {
  await using queue = await queueWithTable();
  const worker = await startWorker(queue.url);
  const id = await queue.add(here, 'a');
  await worker.printed('started');
  await end(worker.child);
  await queue.expireLeases();
  await queue.start([here]);
  await eventually(async () => expect((await queue.row(id)).state).toBe('done'));
  expect(await queue.written()).toEqual(['here']);
  const attempts = await attemptsOf(queue.database.kysely, id);
  expect(attempts.map(({ number, outcome }) => [number, outcome])).toEqual([
    [1, 'lost'],
    [2, 'done'],
  ]);
});

test('a worker frozen past its lease writes nothing of a job that another has taken over', async () => {
  await using queue = await queueWithTable();
  const worker = await startWorker(queue.url);
  const id = await queue.add(here, 'a');
  await worker.printed('started');
  worker.child.kill('SIGSTOP');
  await queue.expireLeases();
  await queue.start([here]);
  await eventually(async () => expect((await queue.row(id)).state).toBe('done'));
  worker.child.stdin?.write('go on\n');
  worker.child.kill('SIGCONT');
  await worker.printed('lost');
  expect(worker.lines).not.toContain('writing');
  expect(await queue.written()).toEqual(['here']);
  expect(await queue.row(id)).toMatchObject({ state: 'done', attempt: 2 });
});

test('a result with an old attempt number is not written, with and without `write`', async () => {
  await using queue = await queueWithTable();
  const { kysely } = queue.database;
  const noted = noteJob({
    run: async ({ text }) => {
      await sql`update job set attempt = attempt + 1 where payload ->> 'text' = ${text}`.execute(
        kysely,
      );
      if (text === 'plain') return done();
      return done({ write: (tx) => sql`insert into written values ('late')`.execute(tx) });
    },
  });
  const ids = [await queue.add(noted, 'plain'), await queue.add(noted, 'writes')];
  const jobs = await queue.start([noted]);
  await eventually(async () => expect((await jobs.statistics()).attempts.lost).toBe(2));
  expect(await queue.written()).toEqual([]);
  for (const id of ids) {
    expect(await queue.row(id)).toMatchObject({ state: 'running', attempt: 2 });
    expect(await attemptsOf(kysely, id)).toEqual([]);
  }
});

test('a lease is renewed while its worker lives, and no other node runs the job', async () => {
  await using queue = await testQueue();
  const go = Promise.withResolvers<void>();
  let starts = 0;
  const noted = noteJob({
    run: async () => {
      starts += 1;
      await go.promise;
    },
  });
  // A clock that moves only when the lease is renewed: a worker that gets no CPU loses nothing.
  let time = Date.now() + 60_000;
  const options = { leaseSeconds: 0.3, now: () => time };
  await queue.start([noted], options);
  await queue.start([noted], options);
  const id = await queue.add(noted, 'a');
  const lease = async () => {
    const { rows } = await sql<{ until: Date }>`select lease_until as until from job`.execute(
      queue.database.kysely,
    );
    return rows[0]?.until?.getTime();
  };
  for (let turn = 0; turn < 5; turn += 1) {
    await eventually(async () => expect(await lease()).toBe(time + 300));
    time += 200;
  }
  go.resolve();
  await eventually(async () => expect((await queue.row(id)).state).toBe('done'));
  expect(starts).toBe(1);
});

test('stop waits for attempts and claims no more jobs', async () => {
  await using queue = await testQueue();
  const started = vi.fn();
  const aborted = vi.fn();
  const go = Promise.withResolvers<void>();
  const noted = noteJob({
    run: async (_payload, _context, { signal }) => {
      started();
      signal.addEventListener('abort', aborted);
      await go.promise;
      signal.removeEventListener('abort', aborted);
    },
  });
  const id = await queue.add(noted, 'ends');
  // The attempt takes the only slot: no claim is under way at the call of stop.
  const jobs = await queue.start([noted], { concurrency: 1 });
  await eventually(() => expect(started).toHaveBeenCalled());
  const stopping = jobs.stop(20_000);
  const late = await queue.add(noted, 'late');
  go.resolve();
  await stopping;
  expect(await queue.row(id)).toMatchObject({ state: 'done', failures: 0 });
  expect(await queue.row(late)).toMatchObject({ state: 'queued', attempt: 0 });
  expect(aborted).not.toHaveBeenCalled();
});

test('stop aborts and releases attempts that do not end, and counts no failure', async () => {
  await using queue = await testQueue();
  const aborted: string[] = [];
  const started = vi.fn();
  const noted = noteJob({
    retry: [3600],
    run: async ({ text }, _context, { signal }) => {
      started();
      signal.addEventListener('abort', () => aborted.push(text));
      if (text === 'obeys') await new Promise((_, no) => signal.addEventListener('abort', no));
      await new Promise(() => {});
    },
  });
  const ids = await Promise.all(['obeys', 'ignores'].map((text) => queue.add(noted, text)));
  const jobs = await queue.start([noted]);
  await eventually(() => expect(started).toHaveBeenCalledTimes(2));
  await jobs.stop(0);
  for (const id of ids)
    expect(await queue.row(id)).toMatchObject({ state: 'queued', attempt: 1, failures: 0 });
  expect(started).toHaveBeenCalledTimes(2);
  expect(aborted.toSorted()).toEqual(['ignores', 'obeys']);
});
