import { z } from 'zod';

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
