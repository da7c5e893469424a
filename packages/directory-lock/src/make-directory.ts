import { mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/**
 * Makes a directory and its parents, all with this mode, unless they exist. Throws the error of the file
 * system. `mkdir` with `recursive` tries for ever where the system denies that an existing parent is there, as
 * below /proc. Returns whether the directory is new.
 */
export async function makeDirectory(path: string, mode: number): Promise<boolean> {
  const directory = resolve(path);
  const first = await make(directory, mode);
  if (typeof first === 'boolean') return first;
  const parent = dirname(directory);
  if (parent !== directory) await makeDirectory(parent, mode);
  const second = await make(directory, mode);
  if (typeof second !== 'boolean') throw second;
  return second;
}

/**
 * Makes a directory for secrets, as `makeDirectory` does. Git ignores a new one: it is often made inside of a
 * repository.
 */
export async function makeSecretDirectory(path: string, mode = 0o700): Promise<void> {
  if (await makeDirectory(path, mode)) await writeFile(join(path, '.gitignore'), '*\n');
}

/** Whether the directory is new; the error if it is not there afterwards. */
async function make(path: string, mode: number): Promise<unknown> {
  try {
    await mkdir(path, { mode });
    return true;
  } catch (error) {
    const found = await stat(path).catch(() => undefined);
    return found?.isDirectory() ? false : error;
  }
}
