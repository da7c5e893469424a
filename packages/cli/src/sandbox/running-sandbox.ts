import { z } from 'zod';

import { consoleAuthorization } from './console/console-access.ts';
import { readSandboxFile, type SandboxFile } from './sandbox-file.ts';

const Phones = z.array(z.object({ push_account_id: z.string() }));

/** The sandbox that runs on a data directory. Ignores the file of a sandbox that was killed. */
export async function runningSandbox(dataDir: string): Promise<SandboxFile | undefined> {
  const file = await readSandboxFile(dataDir);
  if (!file) return undefined;
  try {
    const phones = Phones.parse(await phonesOf(file, AbortSignal.timeout(2000)));
    const isOurs = ({ push_account_id }: { push_account_id: string }) =>
      file.devices.some((device) => device.push_account_id === push_account_id);
    return phones.some(isOurs) ? file : undefined;
  } catch {
    return undefined;
  }
}

/** The phones of a running sandbox with their notifications, as its console serves them. */
export async function phonesOf(file: SandboxFile, signal?: AbortSignal): Promise<unknown> {
  const [login] = file.users;
  const headers = login ? { authorization: consoleAuthorization(login) } : {};
  const answer = await fetch(`${file.console_url}/phones`, {
    headers,
    ...(signal ? { signal } : {}),
  });
  return answer.json();
}
