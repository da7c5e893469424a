import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * Makes a directory and its parents, all with this mode, unless they exist. Throws the error of the file
 * system. `mkdir` with `recursive` tries for ever where the system denies that an existing parent is there, as
 * below /proc.
 */
export async function makeDirectory(path: string, mode: number): Promise<void> {
  const directory = resolve(path);
  if ((await make(directory, mode)) === undefined) return;
  const parent = dirname(directory);
  if (parent !== directory) await makeDirectory(parent, mode);
  const error = await make(directory, mode);
  if (error !== undefined) throw error;
}

/** The error if the directory is not there afterwards. */
async function make(path: string, mode: number): Promise<unknown> {
  try {
    await mkdir(path, { mode });
    return undefined;
  } catch (error) {
    const found = await stat(path).catch(() => undefined);
    return found?.isDirectory() ? undefined : error;
  }
}
