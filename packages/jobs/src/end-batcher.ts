import { setTimeout as sleep } from 'node:timers/promises';

import { isRolledBack } from '@bellhop/postgres';

import type { Ending } from './ending.ts';

interface Waiting {
  ending: Ending;
  resolve: (isMine: boolean) => void;
  reject: (error: unknown) => void;
}

const maxBatchSize = 200;
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

/**
 * Writes endings in batches: those that arrive during a write are the next batch. If the database
 * refuses a batch, each of its endings is written alone.
 */
export function endBatcher(write: (endings: Ending[]) => Promise<Set<string>>) {
  const waiting: Waiting[] = [];
  let isWriting = false;

  async function writeAll(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0) {
      await writeBatch(waiting.splice(0, maxBatchSize));
    }
    isWriting = false;
  }

  async function writeBatch(batch: readonly Waiting[]): Promise<void> {
    try {
      const mine = await withRetries(() => write(batch.map(({ ending }) => ending)));
      for (const { ending, resolve } of batch) resolve(mine.has(ending.id));
    } catch (error) {
      if (batch.length > 1 && isRolledBack(error)) {
        for (const one of batch) await writeBatch([one]);
        return;
      }
      for (const { reject } of batch) reject(error);
    }
  }

  /** Resolves with false if another worker has taken the job over. */
  return (ending: Ending): Promise<boolean> =>
    new Promise((resolve, reject) => {
      waiting.push({ ending, resolve, reject });
      if (!isWriting) void writeAll();
    });
}
