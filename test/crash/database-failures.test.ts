import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openDatabase, startPostgres } from '@bellhop/postgres';
import { startDatabaseProxy } from '@bellhop/postgres/testing';
import { sql } from 'kysely';
import { expect, vi } from 'vitest';

import { readChannel } from './channel-reader.fixture.ts';
import { compareFound, crashTest } from './crash-test.fixture.ts';
import { killPostgres } from './kill-postgres.fixture.ts';
import { startWriters } from './message-writers.fixture.ts';
import { startServerProcess } from './server-process.fixture.ts';

const CYCLES = Number(process.env['BELLHOP_CRASH_CYCLES'] ?? 10);
/** The name of the statement that only the connection for flushes sends. */
const FLUSH = 'flush\0';

/** A PostgreSQL of its own, an address in front of it that can fail, and a server on that address. */
async function startParts() {
  await using ends = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'bellhop-crash-'));
  ends.defer(() => rm(directory, { recursive: true, force: true }));
  const postgres = ends.use(await startPostgres({ dataDir: join(directory, 'postgres') }));
  const proxy = ends.use(await startDatabaseProxy(postgres.url));
  const server = await startServerProcess(directory, { databaseUrl: proxy.url });
  ends.defer(async () => void (await server.stop()));
  const reader = await readChannel(server.client);
  const parts = ends.move();
  return {
    directory,
    postgres,
    proxy,
    server,
    reader,
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

crashTest(
  `${CYCLES} failovers behind an address that holds connections until they are over`,
  async () => {
    await using parts = await startParts();
    const { postgres, proxy, server, reader } = parts;
    const writers = startWriters(() => server.client, 32);
    for (let cycle = 0; cycle < CYCLES; cycle++) {
      await writers.acknowledgedMore(200 + Math.floor(Math.random() * 500));
      const { pid, url } = postgres;
      proxy.hold();
      await killPostgres(pid);
      await vi.waitFor(() => expect(postgres.pid).not.toBe(pid), { timeout: 30_000 });
      await vi.waitFor(async () => (await openDatabase(url)).close(), { timeout: 30_000 });
      proxy.forwardTo(url);
    }
    await writers.acknowledgedMore(1);
    await writers.stop();
    return compareFound(writers.acknowledged, await reader.delivered(server.client));
  },
);

crashTest('a connection for flushes that goes silent twice', async () => {
  await using parts = await startParts();
  const { proxy, server, reader } = parts;
  const writers = startWriters(() => server.client);
  for (let cycle = 0; cycle < 2; cycle++) {
    await writers.acknowledgedMore(100);
    proxy.silence(FLUSH);
  }
  await writers.acknowledgedMore(1);
  await writers.stop();
  for (const error of writers.errors)
    expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', status: 503 });
  expect(writers.errors).not.toEqual([]);
  return compareFound(writers.acknowledged, await reader.delivered(server.client));
});

crashTest('a node that freezes inside a transaction while another one serves', async () => {
  await using parts = await startParts();
  const { directory, postgres, server, reader } = parts;
  const { apiKey } = server;
  await using observer = await openDatabase(postgres.url, { maxConnections: 1 });
  const frozen = await startServerProcess(directory, { apiKey, databaseUrl: postgres.url });
  try {
    const nodes = [server, frozen] as const;
    const writers = startWriters((writer) => nodes[writer % 2 === 0 ? 0 : 1].client, 16);
    await writers.acknowledgedMore(100);
    await vi.waitFor(
      async () => {
        frozen.send('SIGSTOP');
        if ((await openTransactions(observer)) > 0) return;
        frozen.send('SIGCONT');
        throw new Error('The node was frozen outside a transaction');
      },
      { timeout: 60_000, interval: 7 },
    );
    await writers.acknowledgedMore(500);
    // The database ends the transaction of the frozen node.
    await vi.waitFor(async () => expect(await openTransactions(observer)).toBe(0), {
      timeout: 20_000,
      interval: 200,
    });
    frozen.send('SIGCONT');
    await writers.acknowledgedMore(100);
    await writers.stop();
    for (const error of writers.errors)
      expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', status: 503 });
    return compareFound(writers.acknowledged, await reader.delivered(server.client));
  } finally {
    frozen.send('SIGCONT');
    await frozen.stop();
  }
});

/** Transactions whose node has not gone on for 100 ms. */
async function openTransactions(observer: Awaited<ReturnType<typeof openDatabase>>) {
  await sql`select pg_sleep(0.11)`.execute(observer.kysely);
  const { rows } = await sql`select from pg_stat_activity
    where state = 'idle in transaction' and state_change < clock_timestamp() - interval '100 ms'`.execute(
    observer.kysely,
  );
  return rows.length;
}
