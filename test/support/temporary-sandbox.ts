import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Sandbox, startSandbox } from '@bellhop/cli';
import { createClient, type Client } from '@bellhop/client';
import { pino } from 'pino';

export interface TemporarySandbox extends AsyncDisposable {
  readonly sandbox: Sandbox;
  /** Stops everything and starts it again on the same data; the server has the same address. */
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

/** Everything that `npm start` starts, on free ports, in a temporary directory. */
export async function temporarySandbox(): Promise<TemporarySandbox> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bellhop-'));
  const start = (server: number) =>
    startSandbox({
      dataDir,
      ports: { ...anyPorts, server },
      progress: silently,
      log: pino({ level: 'silent' }),
    });
  const sandbox = await start(0);
  let running = sandbox;
  const { base_url, users } = sandbox.file;
  return {
    sandbox,
    dataDir,
    restart: async (whileStopped) => {
      await running.stop();
      await whileStopped?.();
      running = await start(Number(new URL(base_url).port));
    },
    as: (role) => {
      const user = users.find((one) => one.role === role);
      if (!user) throw new Error(`The sandbox has no user with role ${role}`);
      return createClient({ url: base_url, email: user.email, apiKey: user.api_key });
    },
    [Symbol.asyncDispose]: async () => {
      await running.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
