import { setTimeout as sleep } from 'node:timers/promises';

import type { Database } from '@bellhop/postgres';

import { dueLanes } from './claim-due.ts';
import { deleteOldJobs, type RetentionTimes } from './delete-old-jobs.ts';
import { endBatcher } from './end-batcher.ts';
import { enqueueNextRun } from './enqueue-next-run.ts';
import { wakeChannel } from './enqueue.ts';
import type { Job } from './job.ts';
import { Lane } from './lane.ts';
import { endLostAttempts, renewLeases } from './leases.ts';
import { countJobs, type JobStatistics } from './statistics.ts';
import type { Worker } from './worker.ts';
import { writeEndings } from './write-endings.ts';

export interface StartJobsOptions<Context, Tables = unknown> {
  database: Database<Tables>;
  jobs: Job<unknown, Context, Tables>[];
  /** The second argument of every run. */
  context: Context;
  /** Attempts that each lane runs at a time on this node. Default 16. */
  concurrency?: number | Record<string, number>;
  /** A worker that renews no lease for this many seconds loses its jobs. Default 30. */
  leaseSeconds?: number;
  /** How often to look for due jobs without a notification. Default 1000. */
  pollMs?: number;
  /** Default: done jobs 72 hours, dead jobs 30 days. */
  keep?: Partial<RetentionTimes>;
  /** UNIX milliseconds. Default: the database's clock, the same for all nodes. */
  now?: () => number;
  random?: () => number;
  log?: (message: string, error?: unknown) => void;
}

export interface RunningJobs extends AsyncDisposable {
  /** Looks for due jobs now. */
  wake(): void;
  statistics(): Promise<JobStatistics>;
  /**
   * Claims no more jobs and waits for running attempts. After graceMs (default 5000) aborts them and
   * releases their jobs; the attempts do not count as failures.
   */
  stop(graceMs?: number): Promise<void>;
}

const cleanUpMs = 600_000;
const abandonMs = 2000;

/** Starts running jobs on this node. Several nodes may share one database. */
export async function startJobs<Context, Tables>(
  typed: StartJobsOptions<Context, Tables>,
): Promise<RunningJobs> {
  // The tables type what jobs write; the queue itself calls for no table of theirs.
  const options = typed as StartJobsOptions<Context>;
  const { database, jobs, pollMs = 1000 } = options;
  const keep = { doneHours: 72, deadDays: 30, ...options.keep };
  const worker = makeWorker(options);
  const lanes = makeLanes(worker, options);
  const wake = () => lanes.forEach((lane) => lane.wake());

  async function housekeeping(): Promise<void> {
    for (const job of jobs) await enqueueNextRun(database.kysely, job, worker.now());
    await deleteOldJobs(database, keep, worker.now());
  }
  async function poll(): Promise<void> {
    try {
      await endLostAttempts(worker);
    } finally {
      for (const name of await dueLanes(worker, [...lanes.keys()])) lanes.get(name)?.wake();
    }
  }
  await housekeeping();
  const unlisten = await database.listen(wakeChannel, (name) => {
    if (name === '') wake();
    else lanes.get(name)?.wake();
  });
  const renewal = chore(() => renewLeases(worker), worker);
  const polling = chore(poll, worker);
  const cleanUp = chore(housekeeping, worker);
  const renewalTimer = setInterval(renewal.run, worker.leaseMs / 3);
  const timers = [setInterval(polling.run, pollMs), setInterval(cleanUp.run, cleanUpMs)];
  // One query finds the lanes with due jobs. Each lane would claim in a transaction on a connection of its own.
  polling.run();

  async function stop(graceMs = 5000): Promise<void> {
    worker.isStopping = true;
    unlisten();
    timers.forEach(clearInterval);
    const settled = Promise.all([...lanes.values()].map((lane) => lane.settled()));
    await within(settled, graceMs);
    for (const { abort } of worker.running.values()) abort.abort(new Error('The program stops'));
    await within(settled, abandonMs);
    for (const { interrupt } of worker.running.values()) interrupt('released');
    await settled;
    clearInterval(renewalTimer);
    await Promise.all([renewal, polling, cleanUp].map((work) => work.settled()));
  }

  return {
    wake,
    stop,
    statistics: async () => ({
      ...(await countJobs(database, worker.now())),
      inFlight: worker.running.size,
      attempts: { ...worker.attempts },
    }),
    [Symbol.asyncDispose]: () => stop(),
  };
}

/** Repeated work that never overlaps with itself. Logs failures. */
function chore<Context>(work: () => Promise<unknown>, { log }: Worker<Context>) {
  let current: Promise<void> | undefined;
  async function once(): Promise<void> {
    try {
      await work();
    } catch (error) {
      log('Maintenance of the job queue failed', error);
    }
    current = undefined;
  }
  return {
    run: () => {
      current ??= once();
    },
    settled: async () => await current,
  };
}

function makeWorker<Context>(options: StartJobsOptions<Context>): Worker<Context> {
  const { database, context, now } = options;
  const currentDate = () => (now ? new Date(now()) : null);
  const jobs = new Map(options.jobs.map((job) => [job.name, job]));
  if (jobs.size !== options.jobs.length) throw new Error('Two jobs have the same name');
  return {
    database,
    context,
    jobs,
    running: new Map(),
    attempts: { done: 0, retry: 0, dead: 0, lost: 0, released: 0 },
    leaseMs: (options.leaseSeconds ?? 30) * 1000,
    isStopping: false,
    now: currentDate,
    random: options.random ?? Math.random,
    endings: endBatcher((endings) => writeEndings(database.kysely, endings, currentDate())),
    log: options.log ?? (() => {}),
  };
}

function makeLanes<Context>(
  worker: Worker<Context>,
  { jobs, concurrency = 16 }: StartJobsOptions<Context>,
) {
  const names = new Set(jobs.map((job) => job.lane));
  return new Map(
    [...names].map((name) => {
      const slots = typeof concurrency === 'number' ? concurrency : (concurrency[name] ?? 16);
      const own = jobs.filter((job) => job.lane === name);
      return [name, new Lane({ worker, name, jobs: own, slots })];
    }),
  );
}

async function within(work: Promise<unknown>, ms: number): Promise<void> {
  const ended = new AbortController();
  await Promise.race([work, sleep(ms, undefined, { signal: ended.signal }).catch(() => {})]);
  ended.abort();
}
