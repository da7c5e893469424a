import { jsonb, type Transaction } from '@bellhop/postgres';
import { sql } from 'kysely';

import { newJobId } from './job-id.ts';
import type { Job } from './job.ts';

export const wakeChannel = 'bellhop_jobs';

export interface EnqueueOptions {
  /** Not before this time. Default: at once. */
  runAt?: Date;
  /** How long from now the job is due at the earliest, in milliseconds. The clock is the database's. `runAt` goes before it. */
  delayMs?: number;
  /** Overrides the job's own `key`. */
  key?: string;
  /** If an unfinished job of this name has the same value, none is added; its id is returned. */
  dedupe?: string;
}

export type KnownJob<Payload> = Pick<Job<Payload, never>, 'name' | 'payload' | 'lane' | 'key'>;

/** Adds a job in the caller's transaction; it runs after the commit. Returns its id. */
export async function enqueue<Tables, Payload>(
  tx: Transaction<Tables>,
  job: KnownJob<Payload>,
  payload: Payload,
  options: EnqueueOptions = {},
): Promise<string> {
  const [id] = await enqueueAll(tx, job, [{ payload, ...options }]);
  if (id === undefined) throw new Error(`The job ${job.name} was not added`);
  return id;
}

/** Adds jobs of one kind in one statement. Returns their ids in the same order. */
export async function enqueueAll<Tables, Payload>(
  tx: Transaction<Tables>,
  job: KnownJob<Payload>,
  items: (EnqueueOptions & { payload: Payload })[],
): Promise<string[]> {
  if (items.length === 0) return [];
  const rows = items.map((item) => ({
    id: newJobId(),
    key: item.key ?? job.key?.(item.payload) ?? '',
    payload: job.payload.parse(item.payload),
    due_at: item.runAt,
    delay_ms: item.delayMs,
    dedupe: item.dedupe,
  }));
  const { name, lane } = job;
  tx.notify(wakeChannel, lane);
  const added = await sql<{ id: string }>`
    insert into job (id, name, lane, key, payload, due_at, dedupe)
    select id, ${name}, ${lane}, key, payload, coalesce(due_at,
      clock_timestamp() + delay_ms * interval '1 millisecond', now()), dedupe
    from jsonb_to_recordset(${jsonb(rows)})
      as item (id uuid, key text, payload jsonb, due_at timestamptz, delay_ms float8,
        dedupe text)
    on conflict do nothing
    returning id`.execute(tx);
  if (added.rows.length === rows.length) return rows.map((row) => row.id);
  return await withExisting(tx, name, { rows, added: new Set(added.rows.map((row) => row.id)) });
}

async function withExisting<Tables>(
  tx: Transaction<Tables>,
  name: string,
  { rows, added }: { rows: { id: string; dedupe: string | undefined }[]; added: Set<string> },
): Promise<string[]> {
  const wanted = rows.flatMap((row) => row.dedupe ?? []);
  const existing = await sql<{ id: string; dedupe: string }>`
    select id, dedupe from job
    where name = ${name} and dedupe = any(${wanted}::text[]) and state in ('queued', 'running')
  `.execute(tx);
  const ids = new Map(existing.rows.map((row) => [row.dedupe, row.id]));
  return rows.map((row) => (added.has(row.id) ? row.id : (ids.get(row.dedupe ?? '') ?? row.id)));
}
