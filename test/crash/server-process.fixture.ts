import { createClient, type Client } from '@bellhop/client';

import { startProgram } from '../support/program.ts';

export interface ServerProcess {
  readonly url: string;
  readonly client: Client;
  /** Sends a signal without waiting for its effect. */
  readonly send: (signal: NodeJS.Signals) => void;
  /** Kills the program, not its PostgreSQL, which is orphaned. */
  readonly kill: () => Promise<unknown>;
  readonly stop: () => Promise<unknown>;
}

const environment = {
  BELLHOP_SECRET: 'a secret for crash tests, and only for them',
  BELLHOP_EXTERNAL_URL: 'http://chat.test',
  BELLHOP_PORT: '0',
  // Webhooks of bots on this machine.
  BELLHOP_WEBHOOK_ALLOW: '127.0.0.1/32',
  BELLHOP_RATE_LIMIT_USER: '1000000/60',
  BELLHOP_RATE_LIMIT_IP: '1000000/60',
};
const owner = 'olivia@chat.test';

interface ServerProcessOptions {
  /** The API key that the first start on this database printed. */
  readonly apiKey?: string;
  /** Default: the embedded PostgreSQL in the directory. */
  readonly databaseUrl?: string;
  /** Further environment variables. */
  readonly env?: NodeJS.ProcessEnv;
}

/** `bellhop server` on a directory, or on a database. */
export async function startServerProcess(
  dataDir: string,
  { apiKey, databaseUrl = '', env = {} }: ServerProcessOptions = {},
): Promise<ServerProcess & { apiKey: string }> {
  const program = await startProgram(['server', '--owner', owner], {
    env: { ...environment, ...env, BELLHOP_DATA_DIR: dataDir, DATABASE_URL: databaseUrl },
    ready: /"msg":"listening"/,
  });
  const output = program.output();
  const url = /"url":"([^"]+)"/.exec(output)?.[1];
  const key = apiKey ?? /API key (\w{32})/.exec(output)?.[1];
  if (url === undefined || key === undefined) {
    await program.signal('SIGKILL');
    throw new Error(`Unexpected output:\n${output}`);
  }
  return {
    apiKey: key,
    url,
    client: createClient({ url, email: owner, apiKey: key, timeoutMs: 40_000 }),
    send: (signal) => void program.child.kill(signal),
    kill: () => program.signal('SIGKILL'),
    stop: () => program.signal('SIGTERM'),
  };
}
