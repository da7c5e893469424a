import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { UserError } from '../command-line/user-error.ts';
import { environmentBeside } from '../environment-beside.ts';
import { runningSandbox } from './running-sandbox.ts';
import type { SandboxFile } from './sandbox-file.ts';

export interface LocatedSandbox {
  readonly dataDir: string;
  readonly file: SandboxFile;
}

/**
 * BELLHOP_DATA_DIR; if it is not set, the one that the `.env` here names, as in the project of a bot,
 * and `.bellhop` here and in the clone of this program.
 */
function sandboxDirectories(): string[] {
  const named = process.env['BELLHOP_DATA_DIR'];
  if (named) return [named];
  const ofProject = environmentBeside(resolve('.env'), {})['BELLHOP_DATA_DIR'];
  const inClone = fileURLToPath(new URL('../../../../.bellhop', import.meta.url));
  return [...(ofProject ? [ofProject] : []), '.bellhop', inClone];
}

/** The sandbox that runs on one of these directories, if any. */
export async function locateSandbox(): Promise<LocatedSandbox | undefined> {
  for (const directory of sandboxDirectories()) {
    const file = await runningSandbox(directory);
    if (file) return { dataDir: resolve(directory), file };
  }
  return undefined;
}

export const findSandbox = async (): Promise<SandboxFile | undefined> =>
  (await locateSandbox())?.file;

/** What to do if a sandbox runs and is not found. */
export const OTHER_DIRECTORY =
  'If it runs in another directory, set BELLHOP_DATA_DIR to that directory.';

/** Throws a UserError if no sandbox runs; `advice` ends it. */
export async function requireSandbox(advice = ''): Promise<SandboxFile> {
  const sandbox = await findSandbox();
  if (sandbox) return sandbox;
  throw new UserError(
    `There is no running sandbox in ${sandboxDirectories()[0]}: start one with "npm start" and try again in a second shell. ${OTHER_DIRECTORY}${advice}`,
  );
}
