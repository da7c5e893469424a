import { setTimeout as sleep } from 'node:timers/promises';

import { stopOrphan } from './postmaster.ts';
import {
  type PostmasterOptions,
  type RunningPostmaster,
  startPostmaster,
} from './start-postmaster.ts';

/** Waits before each start after an unexpected end. After the last one the database is given up. */
const PAUSES_MS = [100, 300, 700, 1500, 3000];
/** A server that ran so long ended for another reason than the one before. */
const LONG_RUN_MS = 600_000;

interface KeptPostmaster extends Pick<RunningPostmaster, 'pid' | 'url' | 'stop'> {}

interface KeepOptions extends PostmasterOptions {
  readonly log: (message: string) => void;
  readonly onGone: (error: Error) => void;
}

/**
 * Starts the server process, and starts it again when it ends although nobody stopped it: the kernel
 * may kill it for its memory. Calls `onGone` once if it does not stay up.
 */
export async function keepRunning(options: KeepOptions): Promise<KeptPostmaster> {
  const { cluster, log, onGone } = options;
  let current = await startPostmaster(options);
  let startedAt = performance.now();
  let isStopping = false;
  const stopping = new AbortController();

  async function restart(): Promise<void> {
    let problem: unknown = new Error('It ends again and again');
    for (let at = 0; at < PAUSES_MS.length;) {
      await current.exited;
      if (isStopping) return;
      if (performance.now() - startedAt > LONG_RUN_MS) at = 0;
      startedAt = performance.now();
      await current.stop();
      const pause = PAUSES_MS[at++];
      log(`PostgreSQL (process ${current.pid}) ended unexpectedly: starting it again`);
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => {});
      if (isStopping) return;
      try {
        await stopOrphan(cluster);
        current = await startPostmaster(options);
        if (isStopping) return await current.stop();
        log(`PostgreSQL runs again, as process ${current.pid}`);
      } catch (error) {
        // Server processes of the killed one may still hold its shared memory.
        problem = error;
      }
    }
    onGone(new Error('The embedded PostgreSQL does not stay up', { cause: problem }));
  }

  const restarting = restart();
  return {
    get pid() {
      return current.pid;
    },
    url: current.url,
    stop: async () => {
      isStopping = true;
      stopping.abort();
      await current.stop();
      await restarting;
    },
  };
}
