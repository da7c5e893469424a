import { setTimeout as sleep } from 'node:timers/promises';

import { stopOrphan } from './postmaster.ts';
import {
  type PostmasterOptions,
  type RunningPostmaster,
  startPostmaster,
} from './start-postmaster.ts';

/**
 * The pauses before each restart, in milliseconds. After the last one has failed, the server is
 * given up.
 */
const PAUSES_MS = [100, 300, 700, 1500, 3000];
/**
 * The server is given up after more unexpected ends than this within ten minutes, even if it starts
 * each time.
 */
const MAX_ENDS = 30;
const ENDS_WITHIN_MS = 600_000;

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
  let isStopping = false;
  const stopping = new AbortController();

  /**
   * Restarts the server after each unexpected end. Returns when it is stopped; throws if it is
   * given up.
   */
  async function restart(): Promise<void> {
    let ends: number[] = [];
    for (;;) {
      await current.exited;
      if (isStopping) return;
      await current.stop();
      log(`PostgreSQL (process ${current.pid}) ended unexpectedly: starting it again`);
      const now = performance.now();
      ends = [...ends, now].filter((at) => now - at < ENDS_WITHIN_MS);
      if (ends.length > MAX_ENDS) throw new Error(`It ended ${ends.length} times in ten minutes`);
      const next = await startAgain();
      if (!next) return;
      current = next;
      if (isStopping) return await current.stop();
      log(`PostgreSQL runs again, as process ${current.pid}`);
    }
  }

  async function startAgain(): Promise<RunningPostmaster | undefined> {
    let problem: unknown;
    for (const pause of PAUSES_MS) {
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => {});
      if (isStopping) return undefined;
      try {
        await stopOrphan(cluster);
        return await startPostmaster(options);
      } catch (error) {
        // Processes of the killed server may still hold its shared memory.
        problem = error;
      }
    }
    throw problem;
  }

  const restarting = restart().catch((cause: unknown) =>
    onGone(new Error('The embedded PostgreSQL does not stay up', { cause })),
  );
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
