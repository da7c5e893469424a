import type { Measure } from '../measure.ts';
import { median } from '../median.ts';
import { type AppProcess, startApp } from './app-process.ts';
import type { App } from './app.ts';
import { apps } from './apps.ts';
import { load, wire } from './load.ts';
import { loadOnOtherProcessor } from './on-processor.ts';

const ROUNDS = 5;
/** Long: what runs for days is compiled for speed, and the compiler takes its time. */
const WARM_UP_MS = 8000;
const MEASURED_MS = 1500;
/** More than a bot remembers: when the first is sent again, it is forgotten. */
const DISTINCT = 20_000;

interface Run {
  readonly perSecond: number;
  readonly p99: number;
  /** Processor time of the server per request: what other work on the machine disturbs least. */
  readonly microseconds: number;
}

/** How fast each app verifies, dispatches and answers, in rounds that each app has a run in. */
export async function overHttp(): Promise<Measure[]> {
  using _elsewhere = loadOnOtherProcessor();
  await using stack = new AsyncDisposableStack();
  const runs = new Map<App, Run[]>();
  const warm: Warm[] = [];
  for (const app of apps) {
    warm.push(stack.use(await warmedUp(app)));
    runs.set(app, []);
  }
  for (let round = 0; round < ROUNDS; round++)
    for (const one of round % 2 === 0 ? warm : warm.toReversed())
      runs.get(one.app)?.push(await run(one));
  const [[, ours] = [], ...others] = runs;
  return others.flatMap(([{ name }, theirs]) => compare(name, ours ?? [], theirs));
}

function compare(reference_name: string, ours: Run[], theirs: Run[]): Measure[] {
  const row = (measure: string, unit: string, of: (run: Run) => number): Measure => ({
    bench: 'dispatch',
    measure,
    unit,
    ours: median(ours.map(of)),
    reference: median(theirs.map(of)),
    reference_name,
    // Runs of one round share what else the machine does: their ratios differ less than they do.
    ratio: median(ours.map((run, round) => of(run) / of(theirs[round] ?? run))),
    runs: ROUNDS,
  });
  return [
    row('deliveries over HTTP', 'per second', ({ perSecond }) => perSecond),
    row('processor time of one', 'µs', ({ microseconds }) => microseconds),
    row('99th percentile', 'ms', ({ p99 }) => p99),
  ];
}

/** An app whose process has answered many requests already. */
interface Warm extends AsyncDisposable {
  readonly app: App;
  readonly server: AppProcess;
  readonly requests: readonly Buffer[];
  /** How many were sent so far. */
  sent: number;
}

async function warmedUp(app: App): Promise<Warm> {
  const server = await startApp(app);
  const requests = Array.from({ length: DISTINCT }, (_, n) => wire(app.request(n, true)));
  await check(app, server.port);
  const length = { from: 0, milliseconds: WARM_UP_MS, atLeast: 1 };
  const { requests: sent } = await load({ port: server.port, requests, ...length });
  return {
    app,
    server,
    requests,
    sent,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

async function run(warm: Warm): Promise<Run> {
  const { app, server, requests } = warm;
  const { port } = server;
  const before = await server.spent();
  const length = { from: warm.sent, milliseconds: MEASURED_MS, atLeast: 1 };
  const loaded = await load({ port, requests, ...length });
  const after = await server.spent();
  warm.sent += loaded.requests;
  if (after.handled - before.handled !== loaded.requests)
    throw new Error(
      `${app.name} handled ${after.handled - before.handled} of ${loaded.requests} deliveries`,
    );
  const { perSecond, p99 } = loaded;
  return {
    perSecond,
    p99,
    microseconds: (after.microseconds - before.microseconds) / loaded.requests,
  };
}

/** A run counts only if the app really answers, and really looks at the credential. */
async function check({ name, request }: App, port: number): Promise<void> {
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
