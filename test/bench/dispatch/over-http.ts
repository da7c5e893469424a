import { type Checkout, thisCheckout } from '../checkout.ts';
import { load, requestBytes } from '../load.ts';
import type { Measure } from '../measure.ts';
import { pairedMeasure } from '../paired-measure.ts';
import { percentile } from '../statistics.ts';
import { type AppProcess, startApp } from './app-process.ts';
import type { App } from './app.ts';
import { apps } from './apps.ts';
import { bellhop } from './apps/bellhop.ts';
import { loadOnOtherProcessor } from './on-processor.ts';

/** Many short rounds: the speed of a shared machine changes within seconds. */
const ROUNDS = 21;
/** Long enough for the just-in-time compiler to settle. */
const WARM_UP_MS = 8000;
const MEASURED_MS = 400;
/** More requests than a bot keeps answers for, so that none counts as repeated. */
const DISTINCT = 20_000;

/** An app and its checkout. */
interface Entry {
  readonly name: string;
  readonly app: App;
  readonly checkout: Checkout;
}

interface Run {
  readonly perSecond: number;
  readonly p99: number;
  /** Processor time of the server per request, which other work on the machine affects least. */
  readonly microseconds: number;
}

/** Deliveries to each app over HTTP, in rounds with one run of each app. */
export async function overHttp(against: readonly Checkout[]): Promise<Measure[]> {
  using _elsewhere = loadOnOtherProcessor();
  await using stack = new AsyncDisposableStack();
  const entries: Entry[] = apps.map((app) => ({ name: app.name, app, checkout: thisCheckout }));
  for (const checkout of against)
    entries.push({ name: `Bellhop, ${checkout.name}`, app: bellhop, checkout });
  const runs = new Map<Entry, Run[]>();
  const warm: WarmApp[] = [];
  for (const entry of entries) {
    warm.push(stack.use(await warmedUp(entry)));
    runs.set(entry, []);
  }
  for (let round = 0; round < ROUNDS; round++)
    for (const one of round % 2 === 0 ? warm : warm.toReversed())
      runs.get(one.entry)?.push(await run(one));
  const [[, ours] = [], ...others] = runs;
  return others.flatMap(([{ name }, theirs]) => compare(name, ours ?? [], theirs));
}

function compare(reference_name: string, ours: Run[], theirs: Run[]): Measure[] {
  const row = pairedMeasure({ bench: 'dispatch', reference_name, ours, theirs });
  return [
    row('deliveries over HTTP', 'per second', ({ perSecond }) => perSecond),
    row('processor time of one', 'µs', ({ microseconds }) => microseconds),
    row('99th percentile', 'ms', ({ p99 }) => p99),
  ];
}

/** A running app after its warm-up. */
interface WarmApp extends AsyncDisposable {
  readonly entry: Entry;
  readonly server: AppProcess;
  readonly requests: readonly Buffer[];
  /** The number of requests sent. */
  sent: number;
}

async function warmedUp(entry: Entry): Promise<WarmApp> {
  const { app, checkout } = entry;
  const server = await startApp(checkout, app.name);
  const requests = Array.from({ length: DISTINCT }, (_, n) =>
    requestBytes({ path: '/', ...app.request(n, true) }),
  );
  await checkApp(app, server.port);
  const length = { from: 0, milliseconds: WARM_UP_MS, atLeast: 1, spin: true };
  const { requests: sent } = await load({ port: server.port, requests, ...length });
  return {
    entry,
    server,
    requests,
    sent,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

async function run(warm: WarmApp): Promise<Run> {
  const { entry, server, requests } = warm;
  const { port } = server;
  const before = await server.usage();
  const length = { from: warm.sent, milliseconds: MEASURED_MS, atLeast: 1, spin: true };
  const loaded = await load({ port, requests, ...length });
  const after = await server.usage();
  warm.sent += loaded.requests;
  if (after.handled - before.handled !== loaded.requests)
    throw new Error(
      `${entry.name} handled ${after.handled - before.handled} of ${loaded.requests} deliveries`,
    );
  const { perSecond, latencies } = loaded;
  return {
    perSecond,
    p99: percentile(latencies, 99),
    microseconds: (after.microseconds - before.microseconds) / loaded.requests,
  };
}

/** Throws unless the app responds to a genuine request and refuses a wrong credential. */
async function checkApp({ name, request }: App, port: number): Promise<void> {
  const post = async (genuine: boolean) => {
    const { headers, body } = request(DISTINCT, genuine);
    const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body });
    return { status: response.status, text: await response.text() };
  };
  const good = await post(true);
  if (good.status !== 200 || good.text.includes('Usage'))
    throw new Error(`${name} answers ${good.status} ${good.text}`);
  const bad = await post(false);
  if (bad.status < 400 || bad.status > 499)
    throw new Error(`${name} answers ${bad.status} to a wrong credential`);
}
