import { setTimeout as wait } from 'node:timers/promises';

import type { App } from '../app.ts';
import type { Verdict } from '../providers/verdict.ts';
import { attempt, type Push } from './attempt.ts';

/** The chat server waits 15 s for its answer. */
const LAST_ATTEMPT_MS = 4_500;
const ANSWER_MS = 9_500;
const AT_ONCE = 500;

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
const jittered = (ms: number): number => ms * (1 + Math.random() / 5);

/**
 * Delivers a batch, each push tried a few times within seconds. Ends within 9.5 s whatever the
 * providers do: what has not come to an end by then is for later.
 */
export async function deliver(app: App, pushes: readonly Push[]): Promise<Outcome[]> {
  const startedAt = performance.now();
  const outcomes = new Map<Push, Outcome>();
  const waiting = pushes.values();
  const work = async () => {
    for (const push of waiting)
      outcomes.set(push, await tryAFewTimes(app, push, startedAt + LAST_ATTEMPT_MS));
  };
  const ended = new AbortController();
  const tooLate = wait(ANSWER_MS, undefined, { signal: ended.signal }).catch(() => {});
  const done = Promise.all(Array.from({ length: Math.min(AT_ONCE, pushes.length) }, work));
  await Promise.race([done, tooLate]);
  ended.abort();
  return pushes.map(
    (push) => outcomes.get(push) ?? { push, kind: 'later', waitMs: 1_000, attempts: 1 },
  );
}

async function tryAFewTimes(app: App, push: Push, lastAttemptAt: number): Promise<Outcome> {
  for (let number = 0; ; number++) {
    if (performance.now() > lastAttemptAt)
      return { push, kind: 'later', waitMs: 0, attempts: number };
    const verdict = await attempt(app, push, number);
    if (verdict.kind !== 'retry') return { push, kind: verdict.kind };
    const waitMs = jittered(verdict.after * 1_000);
    if (performance.now() + waitMs > lastAttemptAt)
      return { push, kind: 'later', waitMs, attempts: number + 1 };
    await wait(waitMs);
  }
}
