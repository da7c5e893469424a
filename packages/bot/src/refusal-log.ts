import { logRefusal, type RefusalReason } from './hooks.ts';

const PAUSE_MS = 10_000;

/** A log of refusals that strangers cannot fill: one line in ten seconds at most. */
export function refusalLog(): (reason: RefusalReason) => void {
  let lastAt = -Infinity;
  let missed = 0;
  return (reason) => {
    const now = performance.now();
    if (now - lastAt < PAUSE_MS) {
      missed += 1;
      return;
    }
    logRefusal(reason, missed);
    lastAt = now;
    missed = 0;
  };
}
