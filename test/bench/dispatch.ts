import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import autocannon from 'autocannon';

import { inProcess } from './dispatch-in-process.ts';
import { payload, token } from './dispatch-payload.ts';
import type { Measure } from './measure.ts';
import { median } from './median.ts';

const RUNS = 5;
const SECONDS = 3;
const WARM_UP_REQUESTS = 20_000;
const APPS = ['bellhop', 'node:http', 'Express'] as const;
type App = (typeof APPS)[number];

interface Run {
  readonly perSecond: number;
  readonly p99: number;
  /** Processor time of the server: what other work on the machine disturbs least. */
  readonly microseconds: number;
}

interface Server {
  readonly app: App;
  readonly child: ChildProcess;
  readonly url: string;
}

/** How fast a delivery is verified, dispatched and answered, beside servers that do the least. */
export async function bench(): Promise<Measure[]> {
  const children = APPS.map((app) => ({ app, child: startServer(app) }));
  try {
    const servers: Server[] = [];
    for (const { app, child } of children)
      servers.push({ app, child, url: await firstLine(child) });
    const runs: Record<App, Run[]> = { bellhop: [], 'node:http': [], Express: [] };
    for (const server of servers) await load(server, { amount: WARM_UP_REQUESTS });
    for (let run = 0; run < RUNS; run++) {
      const order = run % 2 === 0 ? servers : servers.toReversed();
      for (const server of order) runs[server.app].push(await load(server, { duration: SECONDS }));
    }
    return [...compare(runs, 'node:http'), ...compare(runs, 'Express'), ...(await inProcess())];
  } finally {
    for (const { child } of children) child.kill();
  }
}

function compare(runs: Record<App, Run[]>, reference_name: App): Measure[] {
  const row = (measure: string, unit: string, of: (run: Run) => number): Measure => {
    const ours = runs.bellhop.map(of);
    const reference = runs[reference_name].map(of);
    // Runs of one round share what else the machine does: their ratios differ less than they do.
    const ratios = ours.map((value, round) => value / (reference[round] ?? Number.NaN));
    const about = { bench: 'dispatch', measure, unit, reference_name, runs: RUNS };
    return {
      ...about,
      ours: median(ours),
      reference: median(reference),
      ratio: median(ratios),
    };
  };
  return [
    row('deliveries over HTTP', 'per second', (run) => run.perSecond),
    row('processor time of a delivery', 'µs', (run) => run.microseconds),
    row('99th percentile over HTTP', 'ms', (run) => run.p99),
  ];
}

type Length = Pick<autocannon.Options, 'amount' | 'duration'>;

async function load({ app, child, url }: Server, length: Length): Promise<Run> {
  await check(app, url);
  const body = payload(token);
  const headers = { 'content-type': 'application/json' };
  const before = await processorTime(child);
  const result = await autocannon({
    url,
    method: 'POST',
    body,
    headers,
    connections: 50,
    ...length,
  });
  const spent = (await processorTime(child)) - before;
  if (result.non2xx + result.errors + result.timeouts > 0)
    throw new Error(`${app}: failed requests`);
  return {
    perSecond: result.requests.average,
    p99: result.latency.p99,
    microseconds: spent / result.requests.total,
  };
}

async function processorTime(child: ChildProcess): Promise<number> {
  const answer = once(child, 'message');
  child.send('processor time');
  const [usage] = await answer;
  const { user, system } = usage as NodeJS.CpuUsage;
  return user + system;
}

/** A run counts only if the server really answers, and really looks at the token. */
async function check(app: App, url: string): Promise<void> {
  const post = (body: string) =>
    fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
  const good = await post(payload(token));
  const answer: unknown = await good.json();
  if (good.status !== 200 || JSON.stringify(answer) !== '{"content":"Deployed 27"}') {
    throw new Error(`${app} answers ${good.status} ${JSON.stringify(answer)}`);
  }
  const bad = await post(payload(token.toLowerCase()));
  await bad.body?.cancel();
  if (bad.status !== 401) throw new Error(`${app} answers ${bad.status} to a wrong token`);
}

/** On a processor of its own where that can be asked for. */
function startServer(app: App): ChildProcess {
  const script = [`${import.meta.dirname}/dispatch-server.ts`, app];
  const canPin = spawnSync('taskset', ['--version']).error === undefined;
  const [command, args] = canPin
    ? ['taskset', ['--cpu-list', '0', process.execPath, ...script]]
    : [process.execPath, script];
  const env = { ...process.env, NODE_ENV: 'production' };
  return spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'], env });
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('The server has no output');
  const [line] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    once(child, 'exit').then(() => {
      throw new Error('The server ended before it listened');
    }),
  ]);
  return String(line);
}

if (import.meta.main) console.table(await bench());
