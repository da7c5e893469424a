import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';

import { newSecrets } from '@bellhop/cli/secrets';
import { createClientFor } from '@bellhop/client';
import { openDatabase } from '@bellhop/postgres';
import { bouncer as contract } from '@bellhop/protocol';
import { bouncerEnvironment, startSimulator } from '@bellhop/push-simulator';
import { sql } from 'kysely';
import { vi } from 'vitest';

import { startProgram } from '../support/program.ts';
import { newOrgKey } from '../support/push-stack.ts';
import { readChannel } from './channel-reader.fixture.ts';
import { compareFound, crashTest } from './crash-test.fixture.ts';
import { killPostgres } from './kill-postgres.fixture.ts';
import { startWriters } from './message-writers.fixture.ts';
import { startServerProcess } from './server-process.fixture.ts';

const CYCLES = Number(process.env['BELLHOP_CRASH_CYCLES'] ?? 10);

/** The process of the embedded PostgreSQL that runs on a data directory. */
async function postmasterOf(dataDir: string): Promise<number> {
  const text = await readFile(join(dataDir, 'cluster', 'postmaster.pid'), 'utf8');
  return Number(text.split('\n')[0]);
}

async function temporaryDirectory() {
  const path = await mkdtemp(join(tmpdir(), 'bellhop-crash-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

crashTest(`${CYCLES} SIGKILLs of the PostgreSQL under a running server`, async () => {
  await using directory = await temporaryDirectory();
  const server = await startServerProcess(directory.path);
  try {
    const reader = await readChannel(server.client);
    const writers = startWriters(() => server.client);
    for (let cycle = 0; cycle < CYCLES; cycle++) {
      await writers.acknowledgedMore(20 + Math.floor(Math.random() * 200));
      await killPostgres(await postmasterOf(directory.path));
    }
    await writers.acknowledgedMore(20);
    await writers.stop();
    return compareFound(writers.acknowledged, await reader.delivered(server.client));
  } finally {
    await server.stop();
  }
});

crashTest(`${CYCLES} SIGKILLs of the PostgreSQL under a running bouncer`, async () => {
  await using directory = await temporaryDirectory();
  const simulator = await startSimulator();
  await using ends = new AsyncDisposableStack();
  ends.defer(() => simulator.stop());
  const { BELLHOP_BOUNCER_KEYS = '' } = parseEnv(newSecrets());
  const program = ends.use(
    await startProgram(['bouncer'], {
      ready: /"msg":"listening"/,
      env: {
        BELLHOP_BOUNCER_KEYS,
        BELLHOP_BOUNCER_PORT: '0',
        BELLHOP_BOUNCER_SERVERS: 'any',
        BELLHOP_DATA_DIR: directory.path,
        ...bouncerEnvironment(simulator),
      },
    }),
  );
  const url = /"url":"([^"]+)"/.exec(program.output())?.[1] ?? '';
  const client = createClientFor(contract, { url, prefix: '/api/v1/remotes', timeoutMs: 40_000 });
  const acknowledged: string[] = [];
  const register = async () => {
    const id = randomUUID();
    await client.servers.register({
      zulip_org_id: id,
      zulip_org_key: newOrgKey(),
      hostname: `${id}.example.com`,
      contact_email: 'ops@example.com',
    });
    acknowledged.push(id);
  };
  // An address may make 300 such calls in a minute: the attempts of an outage must not use them up, and
  // the longest wait is longer than the minute.
  const registered = () => vi.waitFor(register, { timeout: 90_000, interval: 500 });
  for (let cycle = 0; cycle < CYCLES; cycle++) {
    for (let count = 0; count < 5; count++) await registered();
    await killPostgres(await postmasterOf(directory.path));
  }
  await registered();
  const socket = encodeURIComponent(join(directory.path, 'socket'));
  await using db = await openDatabase(`postgresql://bellhop@localhost/bellhop?host=${socket}`);
  const { rows } = await sql<{
    uuid: string;
  }>`select server_uuid as uuid from remote_server`.execute(db.kysely);
  return compareFound(
    acknowledged,
    rows.map(({ uuid }) => uuid),
  );
});
