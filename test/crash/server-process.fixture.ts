import { createClient, type Client } from '@bellhop/client';

import { startProgram } from '../support/program.ts';

export interface ServerProcess {
  readonly url: string;
  readonly client: Client;
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

/** `bellhop server` on a directory; `apiKey` is what the first start printed. */
export async function startServerProcess(
  dataDir: string,
  apiKey?: string,
): Promise<ServerProcess & { apiKey: string }> {
  const program = await startProgram(['server', '--owner', owner], {
    env: { ...environment, BELLHOP_DATA_DIR: dataDir },
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
    client: createClient({ url, email: owner, apiKey: key, timeoutMs: 10_000 }),
    kill: () => program.signal('SIGKILL'),
    stop: () => program.signal('SIGTERM'),
  };
}
