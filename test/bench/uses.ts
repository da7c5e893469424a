import { thisCheckout } from './checkout.ts';
import { createDatabase } from './database.ts';
import { temporaryPostgres } from './disk.ts';
import type { Measure } from './measure.ts';
import { pairedMeasure } from './paired-measure.ts';
import { type MeasuredService, measuredService, type SendRun } from './send/measured-service.ts';
import type { ServerReady } from './send/serve.ts';
import { startWebhookEndpoint } from './send/webhook-endpoint.ts';
import { plain, uses, type Workload } from './send/workload.ts';
import { startService } from './start-service.ts';

const ROUNDS = 3;
const SECONDS = 3;
const WARM_UP_SECONDS = 6;

/** What a message costs that uses one thing, beside a plain one: each in a realm and a process of its own. */
export async function bench(): Promise<Measure[]> {
  await using stack = new AsyncDisposableStack();
  const [plainRuns = [], ...others] = await runsOf(stack, [plain, ...uses]);
  return uses.flatMap(({ name }, at) => {
    const row = pairedMeasure({
      bench: 'uses',
      reference_name: 'plain message',
      ours: others[at] ?? [],
      theirs: plainRuns,
    });
    return [
      row(`${name}: processor time of the server`, 'µs', ({ serverTime }) => serverTime),
      row(`${name}: processor time of PostgreSQL`, 'µs', ({ postgresTime }) => postgresTime),
    ];
  });
}

/** The runs of each workload, one after the other in each round. */
async function runsOf(
  stack: AsyncDisposableStack,
  workloads: readonly Workload[],
): Promise<SendRun[][]> {
  const endpoint = stack.use(await startWebhookEndpoint());
  const services: MeasuredService[] = [];
  for (const [at, { name, people, connections, fill, sequence }] of workloads.entries()) {
    // A PostgreSQL of its own: jobs of one realm go on while another is measured.
    const postgres = await temporaryPostgres(stack);
    const service = stack.use(
      await startService<ServerReady>(thisCheckout, 'send/serve.ts', {
        DATABASE_URL: await createDatabase(postgres.url, 'ours'),
        BENCH_PEOPLE: JSON.stringify(people),
      }),
    );
    const realm = await fill(service.ready, endpoint.urlFor(`${at}`));
    services.push(
      measuredService({
        name,
        service,
        connections,
        postmaster: postgres.pid,
        arrivals: endpoint.arrivals(`${at}`),
        sequence: sequence(realm),
      }),
    );
  }
  const runs = services.map((): SendRun[] => []);
  for (const service of services) await service.run(WARM_UP_SECONDS);
  const inOrder = [...services.entries()];
  for (let round = 0; round < ROUNDS; round++)
    for (const [at, service] of round % 2 === 0 ? inOrder : inOrder.toReversed())
      runs[at]?.push(await service.run(SECONDS));
  return runs;
}
