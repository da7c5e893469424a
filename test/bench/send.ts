import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startPostgres } from '@bellhop/postgres';
import autocannon from 'autocannon';

import type { Measure } from './measure.ts';
import { median } from './median.ts';
import { type Service, startService } from './start-service.ts';

const ROUNDS = 5;
const SECONDS = 4;
const CONNECTIONS = 16;
/** Long: what runs for days is compiled for speed, and the compiler takes its time. */
const WARM_UP_SECONDS = 8;

interface Run {
  readonly perSecond: number;
  readonly p99: number;
}

/**
 * POST /messages to a channel with three subscribers, beside a bare node:http app that does one
 * INSERT with a commit, on the same PostgreSQL with fsync on.
 */
export async function bench(): Promise<Measure[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bellhop-bench-'));
  await using postgres = await startPostgres({ dataDir });
  await using ours = await startService('send-server.ts', { DATABASE_URL: postgres.url });
  await using bare = await startService('send-reference.ts', { DATABASE_URL: postgres.url });
  try {
    const runs = { ours: [] as Run[], bare: [] as Run[] };
    for (const service of [ours, bare]) await load(service, WARM_UP_SECONDS);
    for (let round = 0; round < ROUNDS; round++) {
      const order = [['ours', ours] as const, ['bare', bare] as const];
      for (const [name, service] of round % 2 === 0 ? order : order.toReversed())
        runs[name].push(await load(service, SECONDS));
    }
    const row = (measure: string, unit: string, of: (run: Run) => number): Measure => ({
      bench: 'send',
      measure,
      unit,
      ours: median(runs.ours.map(of)),
      reference: median(runs.bare.map(of)),
      reference_name: 'bare node:http, one INSERT',
      ratio: median(runs.ours.map((run, round) => of(run) / of(runs.bare[round] ?? run))),
      runs: ROUNDS,
    });
    return [
      row('messages', '1/s', ({ perSecond }) => perSecond),
      row('p99', 'ms', ({ p99 }) => p99),
    ];
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function load(service: Service, duration: number): Promise<Run> {
  const result = await autocannon({
    url: `${service.url}/api/v1/messages`,
    method: 'POST',
    connections: CONNECTIONS,
    headers: {
      authorization: service.authorization,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({
      type: 'channel',
      to: 'bench',
      topic: 'speed',
      content: 'An ordinary message of a sentence, as people write them.',
    }).toString(),
    duration,
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} refused and ${result.errors} failed at ${service.url}`);
  return { perSecond: result.requests.average, p99: result.latency.p99 };
}
