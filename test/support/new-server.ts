import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { type Client, createClient } from '@bellhop/client';
import { createTestDatabase } from '@bellhop/postgres/testing';

import { type Program, startProgram } from './program.ts';

const OWNER = 'owner@example.com';

/** `bellhop server --owner` as a process of its own, on an empty database. */
export interface NewServer extends AsyncDisposable {
  readonly program: Program;
  readonly databaseUrl: string;
  readonly url: string;
  /** What the first start printed for its owner. */
  readonly owner: { readonly email: string; readonly password: string };
  /** Waits for a mail to an address, which the server has written into its outbox. Returns its text. */
  readonly mailTo: (address: string) => Promise<string>;
  /** Acts as the owner. */
  readonly client: Client;
}

export async function startNewServer(
  env: Readonly<Record<string, string>> = {},
): Promise<NewServer> {
  await using ends = new AsyncDisposableStack();
  const { url: databaseUrl } = ends.use(await createTestDatabase());
  const outbox = await mkdtemp(join(tmpdir(), 'outbox-'));
  ends.defer(() => rm(outbox, { recursive: true, force: true }));
  const program = ends.use(
    await startProgram(['server', '--owner', OWNER], {
      ready: /"msg":"listening"/,
      env: {
        DATABASE_URL: databaseUrl,
        BELLHOP_SECRET: 'a secret for tests, and for tests only',
        BELLHOP_EXTERNAL_URL: 'http://localhost',
        BELLHOP_PORT: '0',
        BELLHOP_RATE_LIMIT_USER: '100000/60',
        BELLHOP_MAIL_OUTBOX: outbox,
        ...env,
      },
    }),
  );
  const printed = (pattern: RegExp) => pattern.exec(program.output())?.[1] ?? '';
  const url = printed(/"url":"([^"]+)"/);
  const parts = ends.move();
  return {
    program,
    databaseUrl,
    url,
    owner: { email: OWNER, password: printed(/password (\w+),/) },
    mailTo: async (address) => {
      for (;;) {
        const names = await readdir(outbox);
        const name = names.find((one) => one.includes(address) && one.endsWith('.txt'));
        if (name !== undefined) return readFile(join(outbox, name), 'utf8');
        await wait(100);
      }
    },
    client: createClient({ url, email: OWNER, apiKey: printed(/API key (\w{32})/) }),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}
