import { createClient } from '@bellhop/client';

import { changeSequence, draftOf } from './changes/sequence.ts';
import { type Checkout, thisCheckout } from './checkout.ts';
import { type Commit, createDatabase } from './database.ts';
import { temporaryPostgres } from './disk.ts';
import { load } from './load.ts';
import type { BenchOptions, Measure } from './measure.ts';
import { pairedMeasure } from './paired-measure.ts';
import { postgresTime } from './send/processor-time.ts';
import type { ServerReady } from './send/serve.ts';
import { startService } from './start-service.ts';
import { percentile } from './statistics.ts';

const CLIENTS = 16;
const MESSAGES = 50;
const ROUNDS = 5;
const SECONDS = 4;
const WARM_UP_SECONDS = 6;

/**
 * Changes that share no transaction, of 16 clients in one realm: stars, reactions and drafts, with the
 * group flush and with a plain COMMIT, each on its own database of one PostgreSQL with fsync on.
 */
export async function bench({ against, disk }: BenchOptions): Promise<Measure[]> {
  await using stack = new AsyncDisposableStack();
  const { url, pid } = await temporaryPostgres(stack, disk);
  const start = async (name: string, of: Omit<StartOptions, 'databaseUrl'>) =>
    startServer(stack, { ...of, databaseUrl: await createDatabase(url, name) });
  const services = [
    await start('ours', { checkout: thisCheckout, commit: 'group', postmaster: pid }),
    await start('plain', { checkout: thisCheckout, commit: 'plain', postmaster: pid }),
  ];
  for (const [at, checkout] of against.entries())
    services.push(await start(`against_${at}`, { checkout, commit: 'group', postmaster: pid }));
  const runs = new Map<ChangingService, ChangeRun[]>(services.map((service) => [service, []]));
  for (const service of services) await service.run(WARM_UP_SECONDS);
  for (let round = 0; round < ROUNDS; round++)
    for (const service of round % 2 === 0 ? services : services.toReversed())
      runs.get(service)?.push(await service.run(SECONDS));
  const [[, ours] = [], ...references] = runs;
  return references.flatMap(([{ name }, theirs]) => compare(ours ?? [], theirs, name));
}

/** Latencies are milliseconds, processor time is microseconds per change. */
interface ChangeRun {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly serverTime: number;
  readonly postgresTime: number;
}
interface ChangingService {
  readonly name: string;
  readonly run: (seconds: number) => Promise<ChangeRun>;
}
interface StartOptions {
  readonly checkout: Checkout;
  readonly commit: Commit;
  readonly databaseUrl: string;
  /** The process number of its PostgreSQL. */
  readonly postmaster: number;
}

async function startServer(
  stack: AsyncDisposableStack,
  { checkout, commit, databaseUrl, postmaster }: StartOptions,
): Promise<ChangingService> {
  const people = Array.from({ length: CLIENTS }, (_, n) => `Person ${n}`);
  const service = stack.use(
    await startService<ServerReady>(checkout, 'send/serve.ts', {
      DATABASE_URL: databaseUrl,
      BENCH_PEOPLE: JSON.stringify(people),
      BENCH_COMMIT: commit,
    }),
  );
  const requests = changeSequence(await fill(service.ready));
  const port = Number(new URL(service.ready.url).port);
  let from = 0;
  const run = async (seconds: number): Promise<ChangeRun> => {
    const before = { server: await service.processorTime(), postgres: postgresTime(postmaster) };
    const milliseconds = seconds * 1000;
    const connections = CLIENTS;
    const done = await load({ port, requests, from, milliseconds, atLeast: 1, connections });
    from += done.requests;
    const server = (await service.processorTime()) - before.server;
    const postgres = postgresTime(postmaster) - before.postgres;
    return {
      perSecond: done.perSecond,
      p50: percentile(done.latencies, 50),
      p99: percentile(done.latencies, 99),
      serverTime: server / done.requests,
      postgresTime: postgres / done.requests,
    };
  };
  return { name: commit === 'plain' ? 'plain COMMIT' : checkout.name, run };
}

/** Subscribes everybody to a channel with messages, and gives each a draft. */
async function fill({ url, people }: ServerReady) {
  const clients = people.map(({ email, api_key: apiKey }) => createClient({ url, email, apiKey }));
  const [owner] = clients;
  if (!owner) throw new Error('The realm has no people');
  await owner.subscriptions.add({
    subscriptions: [{ name: 'channel 1' }],
    principals: people.map(({ id }) => id as never),
  });
  const messages: number[] = [];
  for (let n = 0; n < MESSAGES; n++) {
    const message = { type: 'channel', to: 'channel 1', topic: 'release' } as const;
    messages.push((await owner.messages.send({ ...message, content: `build ${n}` })).id);
  }
  const drafts: number[] = [];
  for (const client of clients) {
    const { ids } = await client.drafts.add({ drafts: [draftOf('To be')] });
    drafts.push(...ids);
  }
  return { people, messages, drafts };
}

function compare(ours: ChangeRun[], theirs: ChangeRun[], reference_name: string): Measure[] {
  const row = pairedMeasure({ bench: 'changes', reference_name, ours, theirs });
  return [
    row('changes', '1/s', ({ perSecond }) => perSecond),
    row('50th percentile', 'ms', ({ p50 }) => p50),
    row('99th percentile', 'ms', ({ p99 }) => p99),
    row('processor time of the server per change', 'µs', ({ serverTime }) => serverTime),
    row('processor time of PostgreSQL per change', 'µs', (run) => run.postgresTime),
  ].filter(({ ours: value }) => !Number.isNaN(value));
}
