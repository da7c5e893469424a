import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

import { fileStore } from './file-store.ts';

const writer = fileURLToPath(new URL('crashing-writer.fixture.ts', import.meta.url));

/**
 * Runs a writer and kills it at a random moment after 5 to 14 writes. Returns the last count that it
 * printed for each key.
 */
async function runAndKillWriter(directory: string, round: number): Promise<Map<string, number>> {
  const child = spawn(process.execPath, [writer, directory, String(round)]);
  const reported = new Map<string, number>();
  const lines = createInterface(child.stdout);
  let left = 5 + Math.floor(Math.random() * 10);
  lines.on('line', (line) => {
    const [key = '', count] = line.split('\t');
    reported.set(key, Number(count));
    left -= 1;
    if (left === 0) setTimeout(() => child.kill('SIGKILL'), Math.random() * 20);
  });
  const [[, signal]] = await Promise.all([once(child, 'exit'), once(lines, 'close')]);
  expect(signal).toBe('SIGKILL');
  return reported;
}

test('fileStore keeps every finished write when its process is killed', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'bellhop-store-'));
  try {
    for (let round = 1; round <= 8; round++) {
      const reported = await runAndKillWriter(directory, round);
      expect(reported.size).toBe(5);
      const store = fileStore(directory);
      for (const [key, count] of reported) {
        const value = (await store.get(key))?.value;
        expect(value).toMatchObject({ round, padding: 'x'.repeat(50_000) });
        // The last write may have finished without being printed.
        expect([count, count + 5]).toContain((value as { count: number }).count);
      }
      await store.close();
      const left = (await readdir(directory)).filter((name) => !name.endsWith('.json'));
      expect(left).toEqual([]);
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
