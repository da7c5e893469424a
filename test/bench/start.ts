import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startPostgres } from '@bellhop/postgres';

import { startProgram } from '../program.ts';
import type { Measure } from './measure.ts';
import { median } from './median.ts';

const RUNS = 5;

/** From `npm start` on a used data directory to "ready", beside starting only its PostgreSQL. */
export async function bench(): Promise<Measure[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bellhop-bench-'));
  const sandbox = () =>
    timed(
      () => started(dataDir),
      (program) => program.signal('SIGTERM'),
    );
  const postgres = () =>
    timed(
      () => startPostgres({ dataDir: join(dataDir, 'postgres') }),
      (server) => server.stop(),
    );
  try {
    await sandbox();
    const ours: number[] = [];
    const reference: number[] = [];
    for (let run = 0; run < RUNS; run++) {
      ours.push(await sandbox());
      reference.push(await postgres());
    }
    return [
      {
        bench: 'start',
        measure: 'everything, used data directory',
        unit: 's',
        ours: median(ours),
        reference: median(reference),
        reference_name: 'embedded PostgreSQL alone',
        ratio: median(ours) / median(reference),
        runs: RUNS,
      },
    ];
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

const started = (dataDir: string) =>
  startProgram(['sandbox'], {
    env: { BELLHOP_PORT: '0', BELLHOP_DATA_DIR: dataDir },
    ready: /Ctrl-C/,
  });

async function timed<T>(
  start: () => Promise<T>,
  stop: (started: T) => Promise<unknown>,
): Promise<number> {
  const begun = performance.now();
  const running = await start();
  const seconds = (performance.now() - begun) / 1000;
  await stop(running);
  return seconds;
}
