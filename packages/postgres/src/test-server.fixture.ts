import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { rm, statfs } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { Client } from 'pg';

import { type PostgresServer, startPostgres } from './start-postgres.ts';

const portVariable = 'BELLHOP_TEST_POSTGRES_PORT';

/**
 * The globalSetup of a vitest run. All its workers share one embedded PostgreSQL, which starts when
 * the first test asks for a database and stops with the run, also if the run is killed. With
 * DATABASE_URL, tests use that server.
 */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env['DATABASE_URL'] || process.env[portVariable]) return undefined;
  let starting: Promise<TestServer> | undefined;
  const broker = createServer((socket) => {
    socket.on('error', () => {});
    starting ??= startTestServer();
    starting.then(
      ({ url }) => socket.end(url),
      (error: unknown) => socket.end(`The test PostgreSQL did not start: ${String(error)}`),
    );
  });
  broker.listen(0, '127.0.0.1');
  await once(broker, 'listening');
  const address = broker.address();
  if (typeof address === 'object' && address) process.env[portVariable] = String(address.port);
  return async () => {
    delete process.env[portVariable];
    broker.close();
    const server = await starting?.catch(() => undefined);
    await server?.end();
  };
}

/** Whether the server of the tests outlives this run. */
export const isLasting = (): boolean => Boolean(process.env['DATABASE_URL']);

/** The URL of a server on which tests may create databases. */
export async function testServerUrl(): Promise<string> {
  const given = process.env['DATABASE_URL'];
  if (given) return given;
  const port = Number(process.env[portVariable]);
  if (!port) {
    throw new Error(
      'No test PostgreSQL: add the setup of @bellhop/postgres/testing to globalSetup in ' +
        'vitest.config.ts, or set DATABASE_URL',
    );
  }
  const answer = await text(connect(port, '127.0.0.1'));
  if (!answer.startsWith('postgresql:')) throw new Error(answer);
  return answer;
}

interface TestServer {
  url: string;
  end: () => Promise<void>;
}

async function startTestServer(): Promise<TestServer> {
  const dataDir = join(await fastDirectory(), `bellhop-test-${randomUUID().slice(0, 8)}`);
  const server = await startPostgres({ dataDir, fsync: false });
  const dismissGuard = guard(server, dataDir);
  await planOnce(server.url);
  async function end(): Promise<void> {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
    dismissGuard();
  }
  return { url: server.url, end };
}

/**
 * Has each connection plan a statement once. By default PostgreSQL plans it anew for its first five uses, and
 * most tests use a statement less often.
 */
async function planOnce(url: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  await client.query('alter system set plan_cache_mode = force_generic_plan');
  await client.query('select pg_reload_conf()');
  await client.end();
}

/** /dev/shm if it has 2 GB free: copying a template takes 16 ms there, 300 ms on a disk. */
async function fastDirectory(): Promise<string> {
  const memory = process.platform === 'linux' ? await statfs('/dev/shm').catch(() => null) : null;
  return memory && memory.bavail * memory.bsize > 2e9 ? '/dev/shm' : tmpdir();
}

/** Starts a shell that stops the server and deletes its data when this process ends, even if killed. */
function guard({ pid }: PostgresServer, dataDir: string): () => void {
  if (process.platform === 'win32') return () => {};
  const script =
    'cat > /dev/null; kill -QUIT "$1" && while kill -0 "$1"; do sleep 0.1; done; rm -rf "$2"';
  const child = spawn('sh', ['-c', script, 'sh', String(pid), dataDir], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.on('error', () => {});
  child.unref();
  return () => child.stdin.end();
}
