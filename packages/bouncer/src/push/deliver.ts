import { setTimeout as wait } from 'node:timers/promises';

import type { App } from '../app.ts';
import type { Verdict } from '../providers/verdict.ts';
import { attempt, type Push } from './attempt.ts';

/** The chat server waits 15 s for its answer. */
const LAST_ATTEMPT_MS = 4_500;
const ANSWER_MS = 9_500;

/** What came of a push while its server waited; `later` is to be tried again after so many ms. */
export type Outcome =
  | { readonly push: Push; readonly kind: Exclude<Verdict['kind'], 'retry'> }
  | {
      readonly push: Push;
      readonly kind: 'later';
      readonly waitMs: number;
      readonly attempts: number;
    };

/** Spreads repetitions by a fifth. */
export const jittered = (ms: number): number => ms * (1 + Math.random() / 5);

/** Tries a few times within seconds. Never later than 9.5 s, whatever the providers do. */
export async function deliver(app: App, push: Push): Promise<Outcome> {
  const startedAt = performance.now();
  const giveUp = new AbortController();
  const tooLate = wait(ANSWER_MS, undefined, { signal: giveUp.signal }).then(
    (): Outcome => ({ push, kind: 'later', waitMs: 1_000, attempts: 1 }),
    (): Outcome => ({ push, kind: 'later', waitMs: 0, attempts: 0 }),
  );
  const tried = tryAFewTimes(app, push, startedAt + LAST_ATTEMPT_MS);
  const outcome = await Promise.race([tried, tooLate]);
  giveUp.abort();
  return outcome;
}

async function tryAFewTimes(app: App, push: Push, lastAttemptAt: number): Promise<Outcome> {
  for (let number = 0; ; number++) {
    const verdict = await attempt(app, push, number);
    if (verdict.kind !== 'retry') return { push, kind: verdict.kind };
    const waitMs = jittered(verdict.after * 1_000);
    if (performance.now() + waitMs > lastAttemptAt)
      return { push, kind: 'later', waitMs, attempts: number + 1 };
    await wait(waitMs);
  }
}
