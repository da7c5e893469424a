import { setTimeout as wait } from 'node:timers/promises';

import { UserError } from '@bellhop/bot-cli/command-line';
import type { StartTrouble } from '@bellhop/http';
import { passingTrouble } from '@bellhop/postgres';
import type { Logger } from 'pino';

/** How long a start waits for a database that refuses work for now. */
export interface DatabaseWait {
  readonly seconds: number;
  /** The variable that sets it; an error names it. */
  readonly variable: string;
}
interface WaitOptions extends DatabaseWait {
  readonly log: Pick<Logger, 'warn'>;
  readonly stopping: AbortSignal;
  /** Called with each trouble, for `/readyz`. */
  readonly onTrouble: (trouble: StartTrouble) => void;
}

/** Pauses between the tries of a start, in milliseconds: the first one and the longest. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5000;

/**
 * Repeats an attempt, with growing pauses, while the database refuses work for now: it starts, recovers,
 * is a standby until its promotion, or cannot be reached. Says so once in the log. Throws a UserError
 * when the time is over, and other errors at once.
 */
export async function whenDatabaseWorks<Result>(
  attempt: () => Promise<Result>,
  { seconds, variable, log, stopping, onTrouble }: WaitOptions,
): Promise<Result> {
  const deadline = performance.now() + seconds * 1000;
  let isFirst = true;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    try {
      return await attempt();
    } catch (error) {
      stopping.throwIfAborted();
      const trouble = passingTrouble(error);
      if (!trouble) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      const left = deadline - performance.now();
      if (left <= 0)
        throw new UserError(`${reason} The start waited for ${seconds} s (${variable}).`);
      onTrouble({ status: trouble.status, msg: `${trouble.problem}. The start waits for it.` });
      if (isFirst)
        log.warn({ status: trouble.status, reason, seconds }, 'the start waits for the database');
      isFirst = false;
      await wait(Math.min(pause, left), undefined, { signal: stopping });
    }
  }
}
