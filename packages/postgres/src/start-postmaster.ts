import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile, rename, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

import type { EmbeddedBinaries } from './embedded-binaries.ts';
import { passwordPath, userName } from './make-cluster.ts';
import { readPostmaster } from './postmaster.ts';
import type { RunAs } from './run-as.ts';
import { socketDirectory } from './socket-directory.ts';

export interface PostmasterOptions {
  dataDir: string;
  cluster: string;
  binaries: EmbeddedBinaries;
  as: RunAs;
  fsync: boolean;
  port?: number | undefined;
}

export interface RunningPostmaster {
  pid: number;
  url: (database: string) => string;
  /** Resolves when the process has ended, whatever the reason. */
  exited: Promise<unknown>;
  stop: () => Promise<void>;
}

const maxLogBytes = 10_000_000;

/** Starts the server process and waits until it accepts connections. */
export async function startPostmaster(options: PostmasterOptions): Promise<RunningPostmaster> {
  const { dataDir, cluster, binaries, as, fsync } = options;
  const endpoint = await openEndpoint(options);
  const logPath = join(dataDir, 'postgres.log');
  const logFile = await openLog(logPath);
  const settings = serverSettings({ ...endpoint.settings, ...(fsync ? {} : notDurable) });
  const [file, args] = as.command(binaries.postgres, ['-D', cluster, ...settings]);
  const child = spawn(file, args, {
    ...as.spawnOptions,
    cwd: dataDir,
    env: { PATH: process.env['PATH'], ...binaries.env },
    // A process group of its own: Ctrl-C in a terminal signals only the program, which stops the
    // server.
    detached: true,
    windowsHide: true,
    stdio: ['ignore', logFile.fd, logFile.fd],
  });
  const exited = once(child, 'exit').catch(() => {});
  await Promise.race([once(child, 'spawn').catch(() => {}), exited]);
  await logFile.close();
  const { pid } = child;
  const isRunning = () => pid !== undefined && child.exitCode === null && child.signalCode === null;
  const endWithProgram = () => void (isRunning() && child.kill('SIGINT'));
  process.once('exit', endWithProgram);
  child.unref();

  async function stop(): Promise<void> {
    child.ref();
    if (isRunning()) await endNow();
    process.off('exit', endWithProgram);
    await endpoint.remove();
  }

  async function endNow(): Promise<void> {
    if (process.platform !== 'win32') child.kill('SIGINT');
    else await pgCtlStop(binaries, cluster);
    await exited;
  }

  while (isRunning()) {
    const postmaster = await readPostmaster(cluster);
    if (postmaster?.pid === pid && postmaster?.isReady)
      return { pid: postmaster.pid, url: endpoint.url, exited, stop };
    await Promise.race([sleep(10), exited]);
  }
  process.off('exit', endWithProgram);
  await endpoint.remove();
  const lines = (await readFile(logPath, 'utf8')).trim().split('\n').slice(-8).join('\n');
  throw new Error(
    `PostgreSQL did not start on ${dataDir}. The end of its log (${logPath}):\n${lines}`,
  );
}

interface Endpoint {
  settings: Record<string, string>;
  url: (database: string) => string;
  remove: () => Promise<void>;
}

/** A Unix socket in a private directory; on Windows a loopback port and a password. */
async function openEndpoint({ dataDir, as, port: asked }: PostmasterOptions): Promise<Endpoint> {
  if (process.platform !== 'win32') {
    const socket = await socketDirectory(dataDir, as);
    const host = encodeURIComponent(socket.path);
    return {
      settings: {
        listen_addresses: asked === undefined ? '' : '127.0.0.1',
        port: String(asked ?? 5432),
        unix_socket_directories: socket.path,
      },
      url: (database) =>
        `postgresql://${userName}@localhost:${asked ?? 5432}/${database}?host=${host}`,
      remove: socket.remove,
    };
  }
  const port = asked ?? (await freePort());
  const password = await readFile(passwordPath(dataDir), 'utf8');
  return {
    settings: { listen_addresses: '127.0.0.1', unix_socket_directories: '', port: String(port) },
    url: (database) => `postgresql://${userName}:${password}@127.0.0.1:${port}/${database}`,
    remove: async () => {},
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 5432;
}

async function openLog(path: string) {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size > maxLogBytes) await rename(path, `${path}.old`);
  return await open(path, 'a', 0o600);
}

async function pgCtlStop(binaries: EmbeddedBinaries, cluster: string): Promise<void> {
  const pgCtl = join(dirname(binaries.postgres), 'pg_ctl.exe');
  await promisify(execFile)(pgCtl, ['stop', '-m', 'fast', '-D', cluster]);
}

/** The server's settings as command-line arguments; postgresql.conf stays as initdb wrote it. */
function serverSettings(more: Record<string, string>): string[] {
  return Object.entries({ ...always, ...more }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
}

/** A crash of the machine loses data anyway, so copies of pages in the log are useless. */
const notDurable = { fsync: 'off', full_page_writes: 'off' };

const always = {
  cluster_name: 'bellhop',
  unix_socket_permissions: '0700',
  max_connections: '100',
  shared_buffers: '128MB',
  max_wal_size: '512MB',
  // Parallel queries need shared memory that small containers do not have.
  max_parallel_workers_per_gather: '0',
  timezone: 'UTC',
  lc_messages: 'C',
  // Callers get the errors. The log must not contain statements, which contain messages.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
};
