import { type AttemptResult, retry } from './attempt-result.ts';
import type { ClaimedJob } from './claim.ts';
import { type Ending, ending, releasedEnding } from './ending.ts';
import { enqueueNextRun } from './enqueue-next-run.ts';
import type { Job } from './job.ts';
import type { Worker } from './worker.ts';
import { writeEndings } from './write-endings.ts';

class LeaseLost extends Error {}

interface Finished<Context> {
  job: Job<unknown, Context>;
  claimed: ClaimedJob;
  end: AttemptResult<unknown> | 'released';
}

/** Writes the end of an attempt. Writes nothing if another worker has taken the job over. */
export async function finishAttempt<Context>(
  worker: Worker<Context>,
  { job, claimed, end }: Finished<Context>,
): Promise<void> {
  if (end === 'released') return await endWith(worker, { job, claimed }, releasedEnding(claimed));
  const schedule = { retry: job.retry, random: worker.random };
  const wanted = ending(claimed, end, schedule);
  try {
    await endWith(worker, { job, claimed, ...(end.write && { write: end.write }) }, wanted);
  } catch (error) {
    if (!end.write && wanted.state === 'queued') throw error;
    worker.log(`The writes of the result of job ${claimed.id} (${claimed.name}) failed`, error);
    const reason = `The writes of its result failed: ${error instanceof Error ? error.message : String(error)}`;
    await endWith(worker, { job, claimed }, ending(claimed, retry({ reason }), schedule));
  }
}

interface Ended<Context> {
  job: Job<unknown, Context>;
  claimed: ClaimedJob;
  write?: NonNullable<AttemptResult<unknown>['write']>;
  /** The job dies without its onDead. */
  skipsOnDead?: boolean;
}

/** An ending with writes, a hook or a next run gets its own transaction; others are batched. */
export async function endWith<Context>(
  worker: Worker<Context>,
  { job, claimed, write, skipsOnDead = false }: Ended<Context>,
  wanted: Ending,
): Promise<void> {
  const isDeath = wanted.state === 'dead' && !claimed.is_manual && !skipsOnDead;
  const isRepeated = wanted.state !== 'queued' && job.everySeconds !== undefined;
  if (!write && !isRepeated && !(isDeath && job.onDead)) {
    count(worker, wanted, await worker.endings.add(wanted));
    return;
  }
  try {
    await worker.database.transaction(
      async (tx) => {
        const current = await writeEndings(tx, [wanted], worker.now());
        if (current.size === 0) throw new LeaseLost();
        await write?.(tx, { delayMs: wanted.delay_ms });
        if (isDeath) {
          const { id: jobId, payload } = claimed;
          await job.onDead?.(tx, { jobId, payload, reason: wanted.error ?? '' }, worker.context);
        }
        if (isRepeated) await enqueueNextRun(tx, job, worker.now());
      },
      // The writes may hold a lock for which others wait: not while the commit waits for the disk.
      { work: 'job', groupFlush: true },
    );
    count(worker, wanted, true);
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error;
    count(worker, wanted, false);
  }
}

function count<Context>(worker: Worker<Context>, wanted: Ending, isCurrent: boolean): void {
  worker.attempts[isCurrent ? wanted.outcome : 'lost'] += 1;
}
