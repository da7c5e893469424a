import { thisCheckout } from './checkout.ts';
import type { BenchOptions, Measure } from './measure.ts';
import { pairedMeasure } from './paired-measure.ts';
import { runsInTurn } from './send/measured-service.ts';
import { startMeasuredServer } from './send/start-measured-server.ts';
import { startWebhookEndpoint } from './send/webhook-endpoint.ts';
import { plain, uses, type Workload } from './send/workload.ts';

const ROUNDS = 3;

/** What a message costs that uses one thing, beside a plain one: a pair of servers for each thing. */
export async function bench(options: BenchOptions): Promise<Measure[]> {
  const measures = [];
  for (const use of uses) measures.push(...(await measureUse(use, options)));
  return measures;
}

async function measureUse(use: Workload, { disk }: BenchOptions): Promise<Measure[]> {
  await using stack = new AsyncDisposableStack();
  const endpoint = stack.use(await startWebhookEndpoint());
  const start = async (workload: Workload) =>
    (
      await startMeasuredServer(stack, {
        checkout: thisCheckout,
        name: workload.name,
        workload,
        endpoint,
        disk,
      })
    ).service;
  const runs = await runsInTurn([await start(use), await start(plain)], ROUNDS);
  const [ours = [], theirs = []] = runs.values();
  const row = pairedMeasure({ bench: 'uses', reference_name: 'plain message', ours, theirs });
  return [
    row(`${use.name}: processor time of the server`, 'µs', ({ serverTime }) => serverTime),
    row(`${use.name}: processor time of PostgreSQL`, 'µs', ({ postgresTime }) => postgresTime),
  ];
}
