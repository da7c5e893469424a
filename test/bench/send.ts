import { type Checkout, thisCheckout } from './checkout.ts';
import { type Commit, createDatabase } from './database.ts';
import { temporaryPostgres } from './disk.ts';
import type { BenchOptions, Measure } from './measure.ts';
import { pairedMeasure } from './paired-measure.ts';
import { startEjabberd } from './send/ejabberd.ts';
import {
  type MeasuredService,
  measuredService,
  runsInTurn,
  type SendRun,
} from './send/measured-service.ts';
import type { BenchRealm } from './send/realm.ts';
import { BOT_MENTION } from './send/sequence.ts';
import { startMeasuredServer } from './send/start-measured-server.ts';
import { startWebhookEndpoint } from './send/webhook-endpoint.ts';
import { mixed, plain, type Workload } from './send/workload.ts';
import type { ReferenceReady } from './serve-reference.ts';
import { startService } from './start-service.ts';

const ROUNDS = 5;

/**
 * POST /messages as on a work day, and of plain sentences to a small channel, beside a bare node:http app
 * that commits the same messages and readers; the plain sentences also beside ejabberd. Each has a
 * PostgreSQL of its own with fsync on, because the jobs of one server go on while another is measured.
 */
export async function bench(options: BenchOptions): Promise<Measure[]> {
  return [
    ...(await measureSending(plain, options, startEjabberd)),
    ...(await measureSending(mixed, options)),
  ];
}

/** Measures one workload; `startOthers` starts more services to compare with. */
export async function measureSending(
  workload: Workload,
  options: BenchOptions,
  startOthers: StartServices = async () => [],
): Promise<Measure[]> {
  await using stack = new AsyncDisposableStack();
  const services = [
    ...(await startServices(stack, workload, options)),
    ...(await startOthers(stack, options)),
  ];
  const runs = await runsInTurn(services, ROUNDS);
  const [[, ours] = [], ...references] = runs;
  return references.flatMap(([{ name }, theirs]) =>
    compare(ours ?? [], theirs, `${workload.name}: ${name}`),
  );
}

type StartServices = (
  stack: AsyncDisposableStack,
  options: BenchOptions,
) => Promise<MeasuredService[]>;

/**
 * This checkout's server and the reference; if asked for, the server with plain commits, and those of the
 * other checkouts.
 */
async function startServices(
  stack: AsyncDisposableStack,
  workload: Workload,
  { against, disk, plainCommit }: BenchOptions,
): Promise<MeasuredService[]> {
  const endpoint = stack.use(await startWebhookEndpoint());
  const startServer = (checkout: Checkout, name: string, commit?: Commit) =>
    startMeasuredServer(stack, { checkout, name, workload, endpoint, disk, commit });
  const startReference = async (realm: BenchRealm) => {
    const postgres = await temporaryPostgres(stack, disk);
    const subscribers = realm.channels.map(({ name, subscribers: readers }) => [
      name,
      readers.map(({ id }) => id),
    ]);
    const name = 'bare node:http, same rows';
    const service = stack.use(
      await startService<ReferenceReady>(thisCheckout, 'send/reference.ts', {
        DATABASE_URL: await createDatabase(postgres.url, 'bench'),
        WEBHOOK_URL: endpoint.urlFor(name),
        BENCH_SUBSCRIBERS: JSON.stringify(Object.fromEntries(subscribers)),
        BOT_MENTION,
      }),
    );
    return measuredService({
      name,
      service,
      connections: workload.connections,
      postmaster: postgres.pid,
      arrivals: endpoint.arrivals(name),
      sequence: workload.sequence(realm),
    });
  };
  const { realm, service } = await startServer(thisCheckout, thisCheckout.name);
  const services = [service, await startReference(realm)];
  if (plainCommit)
    services.push((await startServer(thisCheckout, 'plain COMMIT', 'plain')).service);
  for (const checkout of against)
    services.push((await startServer(checkout, checkout.name)).service);
  return services;
}

function compare(ours: SendRun[], theirs: SendRun[], reference_name: string): Measure[] {
  const row = pairedMeasure({ bench: 'send', reference_name, ours, theirs });
  const answersFirst = theirs.some(({ perSecond, storedPerSecond }) => storedPerSecond < perSecond);
  return [
    row('messages', '1/s', ({ perSecond }) => perSecond),
    ...(answersFirst
      ? [row('messages until all are stored', '1/s', (run) => run.storedPerSecond)]
      : []),
    row('50th percentile', 'ms', ({ p50 }) => p50),
    row('95th percentile', 'ms', ({ p95 }) => p95),
    row('99th percentile', 'ms', ({ p99 }) => p99),
    row('response to webhook call, 95th percentile', 'ms', ({ webhookP95 }) => webhookP95),
    row('processor time of the server per message', 'µs', ({ serverTime }) => serverTime),
    row('processor time of PostgreSQL per message', 'µs', (run) => run.postgresTime),
  ].filter(({ ours: value }) => !Number.isNaN(value));
}
