import type { Clock } from '../clock.ts';

interface Timer {
  readonly at: number;
  readonly call: () => void;
}

/** A clock whose time passes only by `advance`. */
export interface VirtualClock extends Clock {
  /** Lets time pass and fires the timers that are due, in order. */
  readonly advance: (ms: number) => Promise<void>;
}

export function virtualClock(startsAt = Date.UTC(2026, 0, 5, 9)): VirtualClock {
  let now = startsAt;
  const timers = new Set<Timer>();

  const next = (until: number): Timer | undefined => {
    let first: Timer | undefined;
    for (const timer of timers)
      if (timer.at <= until && (first === undefined || timer.at < first.at)) first = timer;
    return first;
  };

  return {
    now: () => now,
    after(ms, call) {
      const timer = { at: now + Math.max(0, ms), call };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    async advance(ms) {
      const until = now + ms;
      await runPending();
      for (let timer = next(until); timer !== undefined; timer = next(until)) {
        timers.delete(timer);
        now = timer.at;
        timer.call();
        await runPending();
      }
      now = until;
    },
  };
}

/** Lets pending promises and callbacks run. */
const runPending = () => new Promise((resolve) => setImmediate(resolve));
