import type { Ending } from './ending.ts';

interface Waiting {
  ending: Ending;
  resolve: (isMine: boolean) => void;
  reject: (error: unknown) => void;
}

const largestBatch = 200;

/** Collects endings while the ones before are being written, and writes them together. */
export function endBatcher(write: (endings: Ending[]) => Promise<Set<string>>) {
  const waiting: Waiting[] = [];
  let isWriting = false;

  async function writeAll(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, largestBatch);
      try {
        const mine = await write(batch.map(({ ending }) => ending));
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
