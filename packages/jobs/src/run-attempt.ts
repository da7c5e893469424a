import { dead, done, type AttemptResult, retry } from './attempt-result.ts';
import type { ClaimedJob } from './claim.ts';
import { finishAttempt } from './finish-attempt.ts';
import type { Job } from './job.ts';
import type { Interruption, RunningAttempt, Worker } from './worker.ts';

type End = AttemptResult<unknown> | Interruption;

/** Runs a claimed job once and writes the end of the attempt. Never rejects. */
export async function runAttempt<Context>(
  worker: Worker<Context>,
  claimed: ClaimedJob,
): Promise<void> {
  const job = worker.jobs.get(claimed.name);
  if (!job) return;
  if (worker.isStopping) return await release(worker, { job, claimed });
  const { promise: interrupted, resolve: interrupt } = Promise.withResolvers<End>();
  const abort = new AbortController();
  const running: RunningAttempt = { claimed, abort, interrupt, isEnding: false };
  worker.running.set(claimed.id, running);
  const timer = setTimeout(() => {
    const reason = `Took longer than ${job.timeoutMs} ms`;
    abort.abort(new Error(reason));
    interrupt(retry({ reason }));
  }, job.timeoutMs);
  try {
    const end = await Promise.race([run(worker, job, running), interrupted]);
    clearTimeout(timer);
    running.isEnding = true;
    if (end === 'lost') worker.attempts.lost += 1;
    else
      await finishAttempt(worker, {
        job,
        claimed,
        end: isCutShort(end, worker) ? 'released' : end,
      });
  } catch (error) {
    worker.log(`Writing the end of job ${claimed.id} (${claimed.name}) failed`, error);
  } finally {
    clearTimeout(timer);
    worker.running.delete(claimed.id);
  }
}

async function run<Context>(
  worker: Worker<Context>,
  job: Job<unknown, Context>,
  { claimed, abort }: RunningAttempt,
): Promise<AttemptResult<unknown>> {
  const { id, attempt, failures, is_manual } = claimed;
  const payload = job.payload.safeParse(claimed.payload);
  if (!payload.success)
    return dead({ reason: `The payload is not valid: ${payload.error.message}` });
  try {
    const result = await job.run(payload.data, worker.context, {
      jobId: id,
      number: attempt,
      failures,
      isLast: is_manual || failures >= job.retry.length,
      isManual: is_manual,
      signal: abort.signal,
    });
    return result ?? done();
  } catch (error) {
    return retry({
      reason: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
    });
  }
}

async function release<Context>(
  worker: Worker<Context>,
  { job, claimed }: { job: Job<unknown, Context>; claimed: ClaimedJob },
): Promise<void> {
  await finishAttempt(worker, { job, claimed, end: 'released' }).catch((error: unknown) =>
    worker.log(`Releasing job ${claimed.id} (${claimed.name}) failed`, error),
  );
}

/** Whether a retry came from the stopping program's abort, not from the run itself. */
function isCutShort<Context>(end: End, worker: Worker<Context>): boolean {
  return worker.isStopping && typeof end === 'object' && end.kind === 'retry';
}
