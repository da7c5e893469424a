import { setTimeout as sleep } from 'node:timers/promises';

import { Batcher, fulfilled, isRolledBack } from '@bellhop/postgres';

import type { Ending } from './ending.ts';

const size = 200;
const pausesMs = [250, 1000, 4000];

/**
 * Retries during a short outage of the database: otherwise a job that is done would run again. An
 * error that the database itself reports is thrown at once.
 */
async function withRetries<Result>(work: () => Promise<Result>): Promise<Result> {
  for (const pause of pausesMs) {
    try {
      return await work();
    } catch (error) {
      if (isRolledBack(error)) throw error;
      await sleep(pause);
    }
  }
  return await work();
}

/** Writes endings in batches. An ending is false if another worker has taken the job over. */
export const endBatcher = (
  write: (endings: readonly Ending[]) => Promise<Set<string>>,
): Batcher<Ending, boolean> =>
  new Batcher(
    async (endings) => {
      const mine = await withRetries(() => write(endings));
      return fulfilled(endings.map(({ id }) => mine.has(id)));
    },
    { size, startsAtOnce: true },
  );
