import { execFileSync } from 'node:child_process';
import { appendFileSync, chownSync, statSync, writeFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { type PostgresOptions, type PostgresServer, startPostgres } from '@bellhop/postgres';
import { startDatabaseProxy } from '@bellhop/postgres/testing';
import { Client } from 'pg';

import { runStatement } from './database.ts';

/**
 * What a COMMIT waits for: the disk of this machine, one whose flush takes 5 ms more, or that and a
 * synchronous standby whose answers take 2 ms more.
 */
export const disks = ['as-is', 'flush-5ms', 'standby-2ms'] as const;
export type Disk = (typeof disks)[number];

const FLUSH_MICROSECONDS = 5000;
/** To the standby, and back. */
const ONE_WAY_MS = 1;
const STANDBY_WITHIN_MS = 30_000;

/** A PostgreSQL on a directory that is removed with it. Listens on `port` as well, if one is given. */
export async function temporaryPostgres(
  stack: AsyncDisposableStack,
  disk: Disk = 'as-is',
  port?: number,
): Promise<PostgresServer> {
  const { path } = stack.use(await mkdtempDisposable(join(tmpdir(), 'bellhop-bench-')));
  const options = { dataDir: join(path, 'primary'), ...(port !== undefined && { port }) };
  if (disk === 'standby-2ms') return withStandby(stack, options, join(path, 'standby'));
  const postgres = stack.use(await startPostgres(options));
  if (disk === 'flush-5ms') {
    await runStatement(postgres.url, `alter system set commit_delay = ${FLUSH_MICROSECONDS}`);
    await runStatement(postgres.url, 'alter system set commit_siblings = 0');
    await runStatement(postgres.url, 'select pg_reload_conf()');
  }
  return postgres;
}

async function withStandby(
  stack: AsyncDisposableStack,
  options: PostgresOptions,
  standbyDir: string,
): Promise<PostgresServer> {
  // The standby begins with the files of a server that was stopped.
  await (await startPostgres(options)).stop();
  execFileSync('cp', ['-a', options.dataDir, standbyDir]);
  const primary = stack.use(await startPostgres(options));
  const proxy = stack.use(await startDatabaseProxy(primary.url, { delayMs: ONE_WAY_MS }));
  const { hostname, port, username } = new URL(proxy.url);
  const cluster = join(standbyDir, 'cluster');
  const signal = join(cluster, 'standby.signal');
  writeFileSync(signal, '');
  // Root runs PostgreSQL as the owner of its files, which must be able to remove the signal.
  const { uid, gid } = statSync(cluster);
  chownSync(signal, uid, gid);
  appendFileSync(
    join(cluster, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=${hostname} port=${port} user=${username} application_name=standby'\n`,
  );
  stack.use(await startPostgres({ dataDir: standbyDir }));
  await runStatement(primary.url, `alter system set synchronous_standby_names = 'standby'`);
  await runStatement(primary.url, 'select pg_reload_conf()');
  await untilSynchronous(primary.url);
  return primary;
}

/** Throws if the standby does not follow within half a minute. */
async function untilSynchronous(url: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  try {
    const deadline = performance.now() + STANDBY_WITHIN_MS;
    for (;;) {
      const { rowCount } = await client.query(
        `select from pg_stat_replication where sync_state = 'sync' and state = 'streaming'`,
      );
      if (rowCount === 1) return;
      if (performance.now() > deadline) throw new Error('The standby does not follow the primary');
      await sleep(50);
    }
  } finally {
    await client.end();
  }
}
