import { expect, test } from 'vitest';

import { clockSleep } from './clock-sleep.ts';

/** A clock that stands still until it is told. */
function stillClock() {
  const waiting = new Set<{ ms: number; call: () => void }>();
  return {
    waiting,
    clock: {
      now: () => 0,
      after: (ms: number, call: () => void) => {
        const timer = { ms, call };
        waiting.add(timer);
        return () => void waiting.delete(timer);
      },
    },
  };
}

test('clockSleep waits by the given clock', async () => {
  const { clock, waiting } = stillClock();
  const pause = clockSleep(clock)(3_600_000);
  const [timer] = waiting;
  expect(timer?.ms).toBe(3_600_000);
  timer?.call();
  await pause;
  expect(waiting.size).toBe(0);
});

test('an abort ends clockSleep and its timer', async () => {
  const { clock, waiting } = stillClock();
  const leaving = new AbortController();
  const pause = clockSleep(clock)(1000, leaving.signal);
  leaving.abort();
  await pause;
  await clockSleep(clock)(1000, leaving.signal);
  expect(waiting.size).toBe(0);
});

test('clockSleep without a clock waits in real time', async () => {
  const began = performance.now();
  await clockSleep(undefined)(20);
  expect(performance.now() - began).toBeGreaterThanOrEqual(15);
});
