import { z } from 'zod';

import { UserError } from '../command-line/user-error.ts';
import { readSandboxFile, type SandboxFile } from './sandbox-file.ts';

const Me = z.object({ user_id: z.int() });

/**
 * The sandbox that runs on a data directory. Ignores the file of a killed sandbox: its server does
 * not answer, or another server does, which does not know the API key.
 */
export async function runningSandbox(dataDir: string): Promise<SandboxFile | undefined> {
  const file = await readSandboxFile(dataDir);
  const [login] = file?.users ?? [];
  if (!file || !login) return undefined;
  try {
    const response = await fetch(`${file.base_url}/api/v1/users/me`, {
      headers: { authorization: `Basic ${btoa(`${login.email}:${login.api_key}`)}` },
      signal: AbortSignal.timeout(2000),
    });
    return Me.parse(await response.json()).user_id === login.user_id ? file : undefined;
  } catch {
    return undefined;
  }
}

/** Throws a UserError if a sandbox runs on a data directory. */
export async function refuseSecond(dataDir: string): Promise<void> {
  const running = await runningSandbox(dataDir);
  if (!running) return;
  throw new UserError(
    `Bellhop already runs in ${dataDir}, at ${running.base_url}: use it, or stop it with Ctrl-C where it was started. ` +
      'For a second one set BELLHOP_DATA_DIR=.bellhop-2 and BELLHOP_PORT=0.',
  );
}
