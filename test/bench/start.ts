import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startPostgres } from '@bellhop/postgres';

import { startProgram } from '../support/program.ts';
import { type Checkout, thisCheckout } from './checkout.ts';
import type { BenchOptions, Measure } from './measure.ts';
import { median } from './statistics.ts';

const ROUNDS = 5;

/** From `npm start` on a used data directory until it is ready, beside its PostgreSQL alone. */
export async function bench({ against: [against] }: BenchOptions): Promise<Measure[]> {
  await using temporary = await mkdtempDisposable(join(tmpdir(), 'bellhop-bench-'));
  const directory = temporary.path;
  const ours = sandboxOf(thisCheckout, join(directory, 'ours'));
  const postgres = postgresAlone(join(directory, 'ours', 'postgres'));
  const theirs = against && sandboxOf(against, join(directory, 'against'));
  await ours();
  await theirs?.();
  const seconds = { ours: [] as number[], postgres: [] as number[], theirs: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    seconds.ours.push(await ours());
    seconds.postgres.push(await postgres());
    if (theirs) seconds.theirs.push(await theirs());
  }
  const row = (reference: readonly number[], reference_name: string): Measure => ({
    bench: 'start',
    measure: 'everything, used data directory',
    unit: 's',
    ours: median(seconds.ours),
    reference: median(reference),
    reference_name,
    ratio: median(seconds.ours) / median(reference),
    runs: ROUNDS,
  });
  return [
    row(seconds.postgres, 'embedded PostgreSQL alone'),
    ...(against ? [row(seconds.theirs, against.name)] : []),
  ];
}

const sandboxOf =
  ({ path }: Checkout, dataDir: string) =>
  () =>
    timed(
      () =>
        startProgram(['sandbox'], {
          bin: join(path, 'packages/cli/bin/bellhop.js'),
          env: { BELLHOP_PORT: '0', BELLHOP_DATA_DIR: dataDir },
          ready: /Ctrl-C/,
        }),
      (program) => program.signal('SIGTERM'),
    );

const postgresAlone = (dataDir: string) => () =>
  timed(
    () => startPostgres({ dataDir }),
    (server) => server.stop(),
  );

/** Seconds until `start` is done. */
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
