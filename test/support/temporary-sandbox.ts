import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { migrations as bouncerMigrations } from '@bellhop/bouncer';
import { type Sandbox, startSandbox } from '@bellhop/cli';
import { createClient, type Client } from '@bellhop/client';
import { freePorts } from '@bellhop/http/testing';
import { createTestDatabase } from '@bellhop/postgres/testing';
import { serverMigrations } from '@bellhop/server/provision';
import { pino } from 'pino';

export interface TemporarySandbox extends AsyncDisposable {
  readonly sandbox: Sandbox;
  /** Stops everything but PostgreSQL and starts it again on the same data; the server has the same address. */
  readonly restart: (whileStopped?: () => Promise<void>) => Promise<void>;
  /** The directory of sandbox.json. */
  readonly dataDir: string;
  /** A client of the first user with this role number. */
  readonly as: (role: number) => Client;
}

const anyPorts = {
  server: 0,
  bouncer: 0,
  bot: 0,
  fcm: 0,
  apns: 0,
  apns_sandbox: 0,
  control: 0,
  webpush: 0,
};
const silently = { step: <T>(_what: string, work: () => Promise<T>) => work(), seconds: () => '' };

/** The migrated databases of a sandbox on the PostgreSQL of the tests. */
async function sandboxDatabases() {
  const server = await createTestDatabase({ migrations: serverMigrations, maxConnections: 1 });
  const name = `${new URL(server.url).pathname.slice(1)}_bouncer`;
  const bouncer = await createTestDatabase({
    migrations: bouncerMigrations,
    maxConnections: 1,
    name,
  });
  return {
    url: server.url,
    drop: async () => {
      await bouncer[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

export interface TemporarySandboxOptions {
  /** For programs, which have no PostgreSQL of a test run: an address, or one that the sandbox starts. */
  readonly database?: { readonly url: string } | 'embedded';
}

/**
 * Everything that `npm start` starts, on free ports, in a temporary directory; its databases are on the
 * PostgreSQL of the tests.
 */
export async function temporarySandbox({
  database,
}: TemporarySandboxOptions = {}): Promise<TemporarySandbox> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bellhop-'));
  const shared = database ? undefined : await sandboxDatabases();
  const databaseUrl = typeof database === 'object' ? database.url : shared?.url;
  const [server = 0] = await freePorts(1);
  const start = () =>
    startSandbox({
      dataDir,
      databaseUrl,
      ports: { ...anyPorts, server },
      progress: silently,
      log: pino({ level: 'silent' }),
    });
  const sandbox = await start();
  let running = sandbox;
  const { base_url, users } = sandbox.file;
  return {
    sandbox,
    dataDir,
    restart: async (whileStopped) => {
      await running.stop();
      await whileStopped?.();
      running = await start();
    },
    as: (role) => {
      const user = users.find((one) => one.role === role);
      if (!user) throw new Error(`The sandbox has no user with role ${role}`);
      return createClient({ url: base_url, email: user.email, apiKey: user.api_key });
    },
    [Symbol.asyncDispose]: async () => {
      await running.stop();
      await shared?.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
