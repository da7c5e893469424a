import { sleep } from '@bellhop/client/plain';

import type { Clock } from '../clock.ts';

/** Sleeps by the given clock, or in real time without one. An aborted signal ends the sleep. */
export function clockSleep(clock: Clock | undefined): typeof sleep {
  if (!clock) return sleep;
  return (ms, signal) =>
    new Promise((resolve) => {
      const end = () => {
        cancel();
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const cancel = clock.after(ms, end);
      if (signal?.aborted) end();
      else signal?.addEventListener('abort', end);
    });
}
