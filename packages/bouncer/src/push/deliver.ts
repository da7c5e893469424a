import { setTimeout as wait } from 'node:timers/promises';

import type { App } from '../app.ts';
import type { ProviderVerdict } from '../providers/provider-verdict.ts';
import { attempt } from './attempt.ts';
import type { Push } from './create-push.ts';

// The chat server waits 15 s for the answer.
const LAST_ATTEMPT_MS = 4_500;
const DEADLINE_MS = 9_500;
const MAX_CONCURRENT = 500;

/** The result of a push while its chat server waits. `unfinished`: retry after `waitMs`. */
export type PushResult =
  | { readonly push: Push; readonly kind: Exclude<ProviderVerdict['kind'], 'retry'> }
  | {
      readonly push: Push;
      readonly kind: 'unfinished';
      readonly waitMs: number;
      readonly attempts: number;
    };

/** Adds up to a fifth, so that retries do not arrive together. */
const jittered = (ms: number): number => ms * (1 + Math.random() / 5);

/**
 * Delivers a batch and retries each push within 4.5 s. Returns after 9.5 s at the latest; a push
 * without a final verdict by then is `unfinished`.
 */
export async function deliver(app: App, pushes: readonly Push[]): Promise<PushResult[]> {
  const startedAt = performance.now();
  const results = new Map<Push, PushResult>();
  const waiting = pushes.values();
  const work = async () => {
    for (const push of waiting)
      results.set(push, await attemptUntil(app, push, startedAt + LAST_ATTEMPT_MS));
  };
  const ended = new AbortController();
  const deadline = wait(DEADLINE_MS, undefined, { signal: ended.signal }).catch(() => {});
  const done = Promise.all(Array.from({ length: Math.min(MAX_CONCURRENT, pushes.length) }, work));
  await Promise.race([done, deadline]);
  ended.abort();
  return pushes.map(
    (push) => results.get(push) ?? { push, kind: 'unfinished', waitMs: 1_000, attempts: 1 },
  );
}

async function attemptUntil(app: App, push: Push, lastAttemptAt: number): Promise<PushResult> {
  for (let number = 0; ; number++) {
    if (performance.now() > lastAttemptAt)
      return { push, kind: 'unfinished', waitMs: 0, attempts: number };
    const verdict = await attempt(app, push, number);
    if (verdict.kind !== 'retry') return { push, kind: verdict.kind };
    const waitMs = jittered(verdict.after * 1_000);
    if (performance.now() + waitMs > lastAttemptAt)
      return { push, kind: 'unfinished', waitMs, attempts: number + 1 };
    await wait(waitMs);
  }
}
