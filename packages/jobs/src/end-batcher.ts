import { setTimeout as sleep } from 'node:timers/promises';

import type { Ending } from './ending.ts';

interface Waiting {
  ending: Ending;
  resolve: (isMine: boolean) => void;
  reject: (error: unknown) => void;
}

const largestBatch = 200;
const pausesMs = [250, 1000, 4000];

/** A short outage of the database must not make a job run twice that has been done. */
async function again<Result>(work: () => Promise<Result>): Promise<Result> {
  for (const pause of pausesMs) {
    try {
      return await work();
    } catch {
      await sleep(pause);
    }
  }
  return await work();
}

/** Collects endings while the ones before are being written, and writes them together. */
export function endBatcher(write: (endings: Ending[]) => Promise<Set<string>>) {
  const waiting: Waiting[] = [];
  let isWriting = false;

  async function writeAll(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, largestBatch);
      try {
        const mine = await again(() => write(batch.map(({ ending }) => ending)));
        for (const { ending, resolve } of batch) resolve(mine.has(ending.id));
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    isWriting = false;
  }

  /** Whether the ending was written; false if the job has been handed on. */
  return (ending: Ending): Promise<boolean> =>
    new Promise((resolve, reject) => {
      waiting.push({ ending, resolve, reject });
      if (!isWriting) void writeAll();
    });
}
