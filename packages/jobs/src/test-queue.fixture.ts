import type { Transaction } from '@bellhop/postgres';
import { createTestDatabase } from '@bellhop/postgres/testing';
import { sql } from 'kysely';
import { vi } from 'vitest';
import { z } from 'zod';

import { type EnqueueOptions, enqueue } from './enqueue.ts';
import { type Job, type JobOptions, job } from './job.ts';
import { jobsMigrations } from './jobs-migrations.ts';
import { startJobs, type StartJobsOptions } from './start-jobs.ts';

export interface Row {
  id: string;
  name: string;
  state: string;
  attempt: number;
  failures: number;
  due_at: Date;
  result: unknown;
  reason: string | null;
}

type Note = { text: string };
export type NoteJob = Job<Note, unknown>;

const note = z.object({ text: z.string().default('') });

/** Waits up to 20 s until the check no longer throws. */
export function eventually(check: () => void | Promise<void>): Promise<void> {
  return vi.waitFor(check, { timeout: 20_000, interval: 20 });
}

/** A job whose payload is a text. */
export function noteJob(options: Partial<JobOptions<Note, unknown>>): NoteJob {
  return job<Note, unknown>({
    name: 'note',
    payload: note,
    retry: [],
    timeoutMs: 20_000,
    run: async () => {},
    ...options,
  });
}

/** A queue on its own database. Disposing stops the workers. */
export async function testQueue() {
  const made = await createTestDatabase<unknown>({
    migrations: [jobsMigrations],
    maxConnections: 8,
  });
  const { database } = made;
  const started: AsyncDisposable[] = [];
  return {
    database,
    url: made.url,
    async start(jobs: NoteJob[], options: Partial<StartJobsOptions<unknown>> = {}) {
      const running = await startJobs({
        database,
        jobs,
        context: undefined,
        pollMs: 50,
        log: (message, error) => process.stderr.write(`${message}: ${String(error)}\n`),
        ...options,
      });
      started.push(running);
      return running;
    },
    add: (to: NoteJob, text: string, options?: EnqueueOptions) =>
      database.transaction((tx) => enqueue(tx, to, { text }, options)),
    transaction: <Result>(work: (tx: Transaction<unknown>) => Promise<Result>) =>
      database.transaction(work),
    async row(id: string): Promise<Row> {
      const { rows } = await sql<Row>`select * from job where id = ${id}`.execute(database.kysely);
      const [row] = rows;
      if (!row) throw new Error('There is no such job');
      return row;
    },
    /** Makes all leases look expired, as if their workers had renewed none for a while. */
    async expireLeases() {
      await sql`update job set lease_until = now() - interval '1 second'
        where state = 'running'`.execute(database.kysely);
    },
    async [Symbol.asyncDispose]() {
      for (const one of started) await one[Symbol.asyncDispose]();
      await made[Symbol.asyncDispose]();
    },
  };
}
