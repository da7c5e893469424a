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
 * From `npm start` on a used data directory until it is ready, beside its PostgreSQL alone; and a chat server
 * alone, beside the same from the sources.
 */
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
    ...(await serverAlone(directory)),
  ];
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
