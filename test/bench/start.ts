import { execFileSync } from 'node:child_process';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startPostgres } from '@bellhop/postgres';

import { startProgram } from '../support/program.ts';
import { type Checkout, thisCheckout } from './checkout.ts';
import type { BenchOptions, Measure } from './measure.ts';
import { bundleService, startTimes } from './start-times.ts';
import { median } from './statistics.ts';

const ROUNDS = 5;

/**
 * From `npm start` until it is ready, on a new and on a used data directory, beside its PostgreSQL alone; and
 * a chat server alone, beside the same from the sources.
 */
export async function bench({ against: [against] }: BenchOptions): Promise<Measure[]> {
  await using temporary = await mkdtempDisposable(join(tmpdir(), 'bellhop-bench-'));
  const directory = temporary.path;
  const measures: Measure[] = [];
  for (const kind of ['new', 'used'] as const) {
    const ours: number[] = [];
    const postgres: number[] = [];
    const theirs: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const folder = join(directory, kind === 'new' ? String(round) : '0');
      ours.push(await startSandbox(thisCheckout, join(folder, 'ours')));
      postgres.push(await startPostgresAlone(join(folder, 'postgres')));
      if (against) theirs.push(await startSandbox(against, join(folder, 'against')));
    }
    const row = (reference: readonly number[], reference_name: string): Measure => ({
      bench: 'start',
      measure: `everything, ${kind} data directory`,
      unit: 's',
      ours: median(ours),
      reference: median(reference),
      reference_name,
      ratio: median(ours) / median(reference),
      runs: ROUNDS,
    });
    measures.push(row(postgres, 'embedded PostgreSQL alone'));
    if (against) measures.push(row(theirs, against.name));
  }
  return [...measures, ...(await serverAlone(directory))];
}

/** A server with one organization in which nobody does anything, as `npm run bundle` makes it. */
async function serverAlone(directory: string): Promise<Measure[]> {
  await using stack = new AsyncDisposableStack();
  const postgres = await startPostgres({ dataDir: join(directory, 'alone') });
  stack.defer(() => postgres.stop());
  const env = {
    DATABASE_URL: postgres.url,
    BELLHOP_SECRET: 'a secret of the benchmark, not of a server',
    BELLHOP_EXTERNAL_URL: 'http://127.0.0.1:4600',
    BELLHOP_MAIL_OUTBOX: join(directory, 'outbox'),
    BELLHOP_PORT: '0',
  };
  const first = await startProgram(['server', '--owner', 'owner@example.com'], {
    env,
    ready: /"msg":"listening"/,
  });
  await first.signal('SIGTERM');
  const folder = await bundleService(stack, 'server');
  const start = { service: 'server', rounds: ROUNDS, env } as const;
  const ours = await startTimes({ ...start, folder });
  const sources = await startTimes(start);
  const row = (
    measure: string,
    unit: string,
    of: Pick<Measure, 'ours' | 'reference'>,
  ): Measure => ({
    bench: 'start',
    measure: `server alone: ${measure}`,
    unit,
    reference_name: 'from the sources',
    ratio: of.ours / of.reference,
    runs: ROUNDS,
    ...of,
  });
  return [
    row('until ready', 's', { ours: median(ours.seconds), reference: median(sources.seconds) }),
    row('memory at rest', 'MB', { ours: ours.atRest, reference: sources.atRest }),
    row('size on the disk', 'MB', {
      ours: megabytesOf(folder),
      reference: megabytesOf(join(thisCheckout.path, 'node_modules')),
    }),
  ];
}

const megabytesOf = (folder: string): number =>
  Number(execFileSync('du', ['-sk', folder], { encoding: 'utf8' }).split('\t')[0]) / 1000;

const startSandbox = ({ path }: Checkout, dataDir: string): Promise<number> =>
  timed(
    () =>
      startProgram(['sandbox'], {
        bin: join(path, 'packages/cli/bin/bellhop.js'),
        env: { BELLHOP_PORT: '0', BELLHOP_DATA_DIR: dataDir },
        ready: /Ctrl-C/,
      }),
    (program) => program.signal('SIGTERM'),
  );

const startPostgresAlone = (dataDir: string): Promise<number> =>
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
