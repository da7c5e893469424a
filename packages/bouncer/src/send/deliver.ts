import { setTimeout as wait } from 'node:timers/promises';

import type { App } from '../app.ts';
import type { NotificationVerdict, RetryVerdict } from '../providers/provider-verdict.ts';
import { attempt } from './attempt.ts';
import type { Push } from './create-push.ts';

// The chat server waits 15 s for the answer.
const LAST_ATTEMPT_MS = 4_500;
const DEADLINE_MS = 9_500;
/**
 * How long running attempts may continue when the bouncer stops, in milliseconds. It leaves time
 * for the answer.
 */
const STOP_MS = 600;

/** The result of a push while its chat server waits. `unfinished`: retry after `waitMs`. */
export type PushResult = FinalResult | UnfinishedPush;
export type FinalResult = Exclude<NotificationVerdict, { kind: 'retry' }> & {
  readonly push: Push;
};
export interface UnfinishedPush {
  readonly push: Push;
  readonly kind: 'unfinished';
  readonly reason: string;
  readonly waitMs: number;
  readonly attempts: number;
  readonly cause?: RetryVerdict['cause'];
  readonly pause?: RetryVerdict['pause'];
}

/** Notifications that wait for a repair or for proof are kept for a day, unless none are ever retried. */
const HOLD_SECONDS = 86_400;

/** How long a push is retried, in seconds. */
export const patience = ({ config: { retrySeconds } }: App, cause: RetryVerdict['cause']) =>
  cause && retrySeconds > 0 ? Math.max(retrySeconds, HOLD_SECONDS) : retrySeconds;

/** When a push is given up, UNIX milliseconds: after its waiting time or its expiry. */
export const giveUpAt = (
  app: App,
  { expiresAt = Infinity }: Push,
  cause?: RetryVerdict['cause'],
): number => Math.min(app.now() + patience(app, cause) * 1_000, expiresAt);

/** Whether the next attempt comes before the push is given up. */
export const canRetry = (app: App, { push, waitMs, cause }: UnfinishedPush): boolean =>
  app.now() + waitMs < giveUpAt(app, push, cause);

/** Adds up to a fifth, so that retries do not arrive together. */
const jittered = (ms: number): number => ms * (1 + Math.random() / 5);

/**
 * Delivers a batch and retries each push within 4.5 s. Returns after 9.5 s at the latest, and soon after
 * the bouncer has been told to stop; a push without a final verdict by then is `unfinished`.
 */
export async function deliver(app: App, pushes: readonly Push[]): Promise<PushResult[]> {
  const startedAt = performance.now();
  const results = new Map<Push, PushResult>();
  const work = async (push: Push) => {
    const result = await attemptUntil(app, push, startedAt + LAST_ATTEMPT_MS);
    results.set(push, result);
    if (result.kind === 'unfinished') return;
    const seconds = (performance.now() - startedAt) / 1_000;
    app.metrics.deliverySeconds.observe({ provider: push.kind, verdict: result.kind }, seconds);
  };
  await endedOrLate(Promise.all(pushes.map(work)), app.stopping);
  return pushes.map(
    (push) =>
      results.get(push) ??
      ({
        push,
        kind: 'unfinished',
        reason: 'no answer in time',
        waitMs: 1_000,
        attempts: 1,
      } as const),
  );
}

/** Resolves when the work has ended, at the deadline, or STOP_MS after `stopping` aborts. */
function endedOrLate(work: Promise<unknown>, stopping: AbortSignal): Promise<void> {
  // Without an AbortController for each request: its errors take longer than the timers.
  return new Promise((resolve, reject) => {
    let timer = setTimeout(end, stopping.aborted ? STOP_MS : DEADLINE_MS);
    const stop = () => {
      clearTimeout(timer);
      timer = setTimeout(end, STOP_MS);
    };
    function end() {
      clearTimeout(timer);
      stopping.removeEventListener('abort', stop);
      resolve();
    }
    stopping.addEventListener('abort', stop);
    work.then(end, (error: unknown) => {
      reject(error);
      end();
    });
  });
}

/** The verdict on an attempt whose result could not be stored. */
const failed = (error: unknown): NotificationVerdict => ({
  kind: 'retry',
  reason: error instanceof Error ? error.message : String(error),
  after: 10,
});

async function attemptUntil(app: App, push: Push, lastAttemptAt: number): Promise<PushResult> {
  let reason = 'not sent yet';
  for (let number = 0; ; number++) {
    const unfinished = { push, kind: 'unfinished', attempts: number } as const;
    if (app.stopping.aborted || performance.now() > lastAttemptAt)
      return { ...unfinished, reason, waitMs: 0 };
    const verdict = await attempt(app, push, number).catch(failed);
    if (verdict.kind !== 'retry') return { ...verdict, push };
    reason = verdict.reason;
    const waitMs = jittered(verdict.after * 1_000);
    if (performance.now() + waitMs > lastAttemptAt) {
      const { cause, pause } = verdict;
      return { ...unfinished, attempts: number + 1, reason, waitMs, cause, pause };
    }
    await wait(waitMs, undefined, { signal: app.stopping }).catch(() => {});
  }
}
