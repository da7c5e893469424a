import { type Checkout, thisCheckout } from './checkout.ts';
import { temporaryPostgres } from './disk.ts';
import { type FilledServer, startFilledServer } from './large/filled-server.ts';
import type { BenchOptions, Measure } from './measure.ts';
import { pairedMeasure } from './paired-measure.ts';
import { fillListeners, type Listener } from './polls/fill-listeners.ts';
import { type HeldRequests, holdRequests } from './polls/held-requests.ts';
import type { HoldingReady } from './polls/reference.ts';
import { type Service, startService } from './start-service.ts';
import { residentMegabytes } from './start-times.ts';

const ROUNDS = 5;
const COUNTS = [1000, 5000, 15_000];
/**
 * Node begins to return memory to the system 100 seconds after its last full collection, which may come
 * late while the clients leave, and takes some more for it.
 */
const GIVEN_BACK_MS = 200_000;

/**
 * One message to 1,000, 5,000 and 15,000 polls of as many users, which then ask again at once, beside a
 * bare node:http server that answers held requests with as many bytes, and beside the server of the
 * other checkout, if asked for. Takes five minutes.
 */
export async function bench({ against: [against] }: BenchOptions): Promise<Measure[]> {
  await using stack = new AsyncDisposableStack();
  const postgres = await temporaryPostgres(stack);
  const measures: Measure[] = [];
  for (const count of COUNTS) {
    await using part = new AsyncDisposableStack();
    const name = `polls_${count}`;
    const start = (checkout: Checkout, database: string) =>
      startFilledServer(part, { postgres, name: database, checkout, fill: async () => {} });
    const ours = await start(thisCheckout, name);
    const bare = part.use(await startService<HoldingReady>(thisCheckout, 'polls/reference.ts', {}));
    const other = against && { ...against, server: await start(against, `${name}_against`) };
    measures.push(...(await measureWith(count, { ours, bare, other })));
    if (count === COUNTS.at(-1)) measures.push(await memoryAfterwards(count, ours.service, bare));
  }
  return measures;
}

/** The memory that both keep when their clients have left for a while. */
async function memoryAfterwards(
  count: number,
  ours: HoldingService,
  bare: HoldingService,
): Promise<Measure> {
  await new Promise((resolve) => setTimeout(resolve, GIVEN_BACK_MS));
  const memory = [ours, bare].map(({ ready }) => ({ memory: residentMegabytes(ready.pid) }));
  const row = pairedMeasure({
    bench: 'polls',
    reference_name: 'bare node:http, held requests',
    ours: memory.slice(0, 1),
    theirs: memory.slice(1),
  });
  const label = `${count} polls: memory of the process ${GIVEN_BACK_MS / 1000} seconds after they have left`;
  return row(label, 'MB', (run) => run.memory);
}

/** Milliseconds, microseconds of processor time of the server per poll, megabytes. */
interface Run {
  readonly lastResponse: number;
  readonly delivery: number;
  readonly asking: number;
  readonly memory: number;
}

interface Measured {
  readonly ours: FilledServer;
  readonly bare: Service<HoldingReady>;
  readonly other: { readonly name: string; readonly server: FilledServer } | undefined;
}

/** One after the other: the load generator may not have twice as many connections. */
async function measureWith(count: number, { ours, bare, other }: Measured): Promise<Measure[]> {
  const { runs, bytes } = await runsOfServer(count, ours);
  const { runs: bareRuns } = await runsOf(bare, {
    requestOf: () => pollOf(undefined, ''),
    send: () => fetch(bare.ready.url, { method: 'POST', body: 'x'.repeat(bytes) }),
    count,
  });
  const rows = [
    ...compared(count, runs, { name: 'bare node:http, held requests', runs: bareRuns }),
  ];
  if (other)
    rows.push(...compared(count, runs, { ...other, ...(await runsOfServer(count, other.server)) }));
  return rows;
}

async function runsOfServer(count: number, server: FilledServer) {
  const listeners = await fillListeners(server, count);
  const message = { type: 'channel', to: 'channel 1', topic: 'all', content: 'Hello' };
  return runsOf(server.service, {
    requestOf: (n, last) => pollOf(listeners[n], last),
    send: () => server.ask('POST /messages', message),
    count,
  });
}

function compared(
  count: number,
  ours: readonly Run[],
  { name, runs }: { readonly name: string; readonly runs: readonly Run[] },
): Measure[] {
  const row = pairedMeasure({ bench: 'polls', reference_name: name, ours, theirs: runs });
  const label = `${count} polls`;
  return [
    row(`${label}: last response to one message`, 'ms', (run) => run.lastResponse),
    row(`${label}: processor time per delivery`, 'µs', (run) => run.delivery),
    row(`${label}: processor time per poll that asks again`, 'µs', (run) => run.asking),
    row(`${label}: memory of the process while they wait`, 'MB', (run) => run.memory),
  ];
}

interface Scenario {
  readonly requestOf: (index: number, last: string) => string;
  readonly send: () => Promise<unknown>;
  readonly count: number;
}

type HoldingService = Service<{ readonly url: string; readonly pid: number }>;

async function runsOf(
  service: HoldingService,
  scenario: Scenario,
): Promise<{ runs: Run[]; bytes: number }> {
  using held = holdRequests(portOf(service.ready.url), scenario.count);
  const runs: Run[] = [];
  // The first round warms up.
  for (let round = 0; round <= ROUNDS; round++) runs.push(await runOf(service, held, scenario));
  return { runs: runs.slice(1), bytes: await held.answered() };
}

async function runOf(
  service: HoldingService,
  held: HeldRequests,
  { requestOf, send, count }: Scenario,
): Promise<Run> {
  const before = await service.processorTime();
  await held.ask(requestOf);
  const waiting = await quietTime(service);
  const memory = residentMegabytes(service.ready.pid);
  const sent = performance.now();
  await Promise.all([send(), held.answered()]);
  const lastResponse = performance.now() - sent;
  const delivered = await service.processorTime();
  return {
    lastResponse,
    delivery: (delivered - waiting) / count,
    asking: (waiting - before) / count,
    memory,
  };
}

/** The processor time of a service once it has no more work: less than 10 ms within 250 ms. */
async function quietTime(service: Service<unknown>): Promise<number> {
  for (let last = await service.processorTime(); ;) {
    await new Promise((resolve) => setTimeout(resolve, 250));
    const now = await service.processorTime();
    if (now - last < 10_000) return now;
    last = now;
  }
}

function pollOf(listener: Listener | undefined, last: string): string {
  const { authorization = '', queue_id = '', last_event_id = 0 } = listener ?? {};
  const id = /"id":(\d+)\}\]/.exec(last)?.[1] ?? last_event_id;
  return (
    `GET /api/v1/events?queue_id=${queue_id}&last_event_id=${id} HTTP/1.1\r\n` +
    `host: 127.0.0.1\r\nauthorization: ${authorization}\r\n\r\n`
  );
}

const portOf = (url: string) => Number(new URL(url).port);
