import { expect, test } from 'vitest';

import { clockSleep } from './clock-sleep.ts';

/** A clock whose time does not pass; a test fires its timers. */
function stillClock() {
  const timers = new Set<{ ms: number; call: () => void }>();
  return {
    timers,
    clock: {
      now: () => 0,
      after: (ms: number, call: () => void) => {
        const timer = { ms, call };
        timers.add(timer);
        return () => void timers.delete(timer);
      },
    },
  };
}

test('clockSleep waits by the given clock', async () => {
  const { clock, timers } = stillClock();
  const pause = clockSleep(clock)(3_600_000);
  const [timer] = timers;
  expect(timer?.ms).toBe(3_600_000);
  timer?.call();
  await pause;
  expect(timers.size).toBe(0);
});

test('an abort ends clockSleep and its timer', async () => {
  const { clock, timers } = stillClock();
  const leaving = new AbortController();
  const pause = clockSleep(clock)(1000, leaving.signal);
  leaving.abort();
  await pause;
  await clockSleep(clock)(1000, leaving.signal);
  expect(timers.size).toBe(0);
});

test('clockSleep without a clock waits in real time', async () => {
  const began = performance.now();
  await clockSleep(undefined)(20);
  expect(performance.now() - began).toBeGreaterThanOrEqual(15);
});
