/** A child process: the bouncer as it runs in production, on DATABASE_URL. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { type BouncerTables, createBouncer, migrations, readConfig } from '@bellhop/bouncer';
import { listen } from '@bellhop/http';
import { migrate, openDatabase } from '@bellhop/postgres';
import { pino } from 'pino';

/** The message that the process sends when it listens. */
export interface BouncerReady {
  readonly url: string;
  readonly pid: number;
}

const database = await openDatabase<BouncerTables>(process.env['DATABASE_URL'] ?? '', {
  maxConnections: 16,
});
await migrate(database, ...migrations);
const bouncer = await createBouncer({
  database,
  config: readConfig(process.env),
  log: pino({ level: 'error' }),
});
const { url } = await listen(bouncer.listener);
process.send?.({ url, pid: process.pid } satisfies BouncerReady);
process.on('message', (message) => {
  const { user, system } = process.cpuUsage();
  process.send?.(message === 'memory in use' ? memoryInUse() : user + system);
});
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function memoryInUse(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1e6;
}

process.on('disconnect', () => process.exit());
// A profiler writes its file at an exit, not when a signal ends the process.
process.on('SIGTERM', () => process.exit());
