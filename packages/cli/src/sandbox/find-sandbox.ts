import { fileURLToPath } from 'node:url';

import { runningSandbox } from './running-sandbox.ts';
import type { SandboxFile } from './sandbox-file.ts';

/** Where sandboxes keep what they tell: the directory that is named, or here and in the clone. */
export function sandboxDirectories(): string[] {
  const named = process.env['BELLHOP_DATA_DIR'];
  const inClone = fileURLToPath(new URL('../../../../.bellhop', import.meta.url));
  return named ? [named] : ['.bellhop', inClone];
}

/** The sandbox that runs here, or in the clone of this program. */
export async function findSandbox(): Promise<SandboxFile | undefined> {
  for (const directory of sandboxDirectories()) {
    const file = await runningSandbox(directory);
    if (file) return file;
  }
  return undefined;
}
