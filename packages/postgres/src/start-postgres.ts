import { realpath } from 'node:fs/promises';
import { join } from 'node:path';

import { lockDirectory, makeSecretDirectory } from '@bellhop/directory-lock';
import { Client } from 'pg';

import { embeddedBinaries } from './embedded-binaries.ts';
import { keepRunning } from './keep-running.ts';
import { makeCluster } from './make-cluster.ts';
import { stopOrphan } from './postmaster.ts';
import { runAs } from './run-as.ts';

export interface PostgresOptions {
  /** Created if missing. One process owns it. */
  dataDir: string;
  /** The database of the URL; created if missing. Default 'bellhop'. */
  database?: string;
  /** False: faster, and a crash loses data. For tests. Default true. */
  fsync?: boolean;
  /**
   * A port of 127.0.0.1 to listen on as well, for programs that know no Unix sockets. They need a
   * password, which no role has until it is set. Default: none; on Windows any free one, and no socket.
   */
  port?: number;
  log?: (message: string) => void;
  /**
   * Called if the server ended unexpectedly and does not stay up after several starts. Default:
   * nothing. The program should end, so that its supervisor starts it again.
   */
  onGone?: (error: Error) => void;
}

export interface PostgresServer extends AsyncDisposable {
  /** A postgresql:// URL for openDatabase and psql. */
  readonly url: string;
  /** Changes when the server was started again. */
  readonly pid: number;
  /** Closes all connections, flushes to disk and stops the server. */
  stop(): Promise<void>;
}

/**
 * Starts the embedded PostgreSQL on a data directory. Stops the server of a killed program first.
 * Throws DirectoryInUse if a living program uses the directory. The server stops with this process,
 * but only `stop()` waits for it. It is started again, at the same URL, when
 * it ends unexpectedly.
 */
export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const { database = 'bellhop', fsync = true, port, log = () => {}, onGone = () => {} } = options;
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
  await makeSecretDirectory(options.dataDir, mode);
  const dataDir = await realpath(options.dataDir);
  const lock = await lockDirectory(dataDir, { otherHost: 'take over' });
  try {
    const binaries = await embeddedBinaries(dataDir);
    const as = await runAs(dataDir, binaries.root);
    await stopOrphan(join(dataDir, 'cluster'));
    const cluster = await makeCluster(dataDir, { binaries, as, fsync });
    const postmaster = await keepRunning({
      dataDir,
      cluster,
      binaries,
      as,
      fsync,
      port,
      log,
      onGone,
    });
    log(`PostgreSQL runs as process ${postmaster.pid} on ${dataDir}`);
    const stop = async () => {
      await postmaster.stop();
      await lock.release();
    };
    const url = postmaster.url(database);
    await ensureDatabase(postmaster.url('postgres'), database).catch(async (error: unknown) => {
      await postmaster.stop();
      throw error;
    });
    return {
      url,
      get pid() {
        return postmaster.pid;
      },
      stop,
      [Symbol.asyncDispose]: stop,
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function ensureDatabase(url: string, database: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  try {
    const sql = 'select from pg_database where datname = $1';
    const { rowCount } = await client.query(sql, [database]);
    if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(database)}`);
  } finally {
    await client.end();
  }
}
