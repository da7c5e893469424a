import type { Checkout } from '../checkout.ts';
import { type Commit, createDatabase, databaseUrl, runStatement } from '../database.ts';
import { type Disk, temporaryPostgres } from '../disk.ts';
import { startService } from '../start-service.ts';
import { type MeasuredService, measuredService } from './measured-service.ts';
import type { BenchRealm } from './realm.ts';
import type { ServerReady } from './serve.ts';
import type { WebhookEndpoint } from './webhook-endpoint.ts';
import type { Workload } from './workload.ts';

const DATABASE = 'bench';

interface ServerOptions {
  readonly checkout: Checkout;
  /** Names the server in the table and in the paths of its webhooks. */
  readonly name: string;
  readonly workload: Workload;
  readonly endpoint: WebhookEndpoint;
  readonly disk: Disk;
  readonly commit?: Commit | undefined;
}

/** Starts a server and a PostgreSQL of its own, and fills a realm for the workload. */
export async function startMeasuredServer(
  stack: AsyncDisposableStack,
  { checkout, name, workload, endpoint, disk, commit = 'group' }: ServerOptions,
): Promise<{ readonly realm: BenchRealm; readonly service: MeasuredService }> {
  const postgres = await temporaryPostgres(stack, disk);
  const service = stack.use(
    await startService<ServerReady>(checkout, 'send/serve.ts', {
      DATABASE_URL: await createDatabase(postgres.url, DATABASE),
      BENCH_PEOPLE: JSON.stringify(workload.people),
      BENCH_COMMIT: commit,
    }),
  );
  const realm = await workload.fill(service.ready, endpoint.urlFor(name));
  await runStatement(databaseUrl(postgres.url, DATABASE), 'analyze');
  const measured = measuredService({
    name,
    service,
    connections: workload.connections,
    postmaster: postgres.pid,
    arrivals: endpoint.arrivals(name),
    sequence: workload.sequence(realm),
  });
  return { realm, service: measured };
}
