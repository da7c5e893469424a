import { z } from 'zod';

import { readSandboxFile, type SandboxFile } from './sandbox-file.ts';

const Phones = z.array(z.object({ push_account_id: z.string() }));

/** The sandbox that runs on a data directory. Ignores the file of a sandbox that was killed. */
export async function runningSandbox(dataDir: string): Promise<SandboxFile | undefined> {
  const file = await readSandboxFile(dataDir);
  if (!file) return undefined;
  try {
    const answer = await fetch(`${file.console_url}/phones`, { signal: AbortSignal.timeout(2000) });
    const phones = Phones.parse(await answer.json());
    const isOurs = ({ push_account_id }: { push_account_id: string }) =>
      file.devices.some((device) => device.push_account_id === push_account_id);
    return phones.some(isOurs) ? file : undefined;
  } catch {
    return undefined;
  }
}
