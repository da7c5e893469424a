import { fileURLToPath } from 'node:url';

import { UserError } from '../command-line/user-error.ts';
import { runningSandbox } from './running-sandbox.ts';
import type { SandboxFile } from './sandbox-file.ts';

/** BELLHOP_DATA_DIR; if it is not set, `.bellhop` here and in the clone of this program. */
function sandboxDirectories(): string[] {
  const named = process.env['BELLHOP_DATA_DIR'];
  const inClone = fileURLToPath(new URL('../../../../.bellhop', import.meta.url));
  return named ? [named] : ['.bellhop', inClone];
}

/** The sandbox that runs on one of these directories, if any. */
export async function findSandbox(): Promise<SandboxFile | undefined> {
  for (const directory of sandboxDirectories()) {
    const file = await runningSandbox(directory);
    if (file) return file;
  }
  return undefined;
}

/** Throws a UserError if no sandbox runs. */
export async function requireSandbox(): Promise<SandboxFile> {
  const sandbox = await findSandbox();
  if (sandbox) return sandbox;
  throw new UserError(
    `There is no running sandbox in ${sandboxDirectories()[0]}: start one with "npm start" and try again in a second shell.`,
  );
}
