import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';

/** The sources of the build, relative to this file. */
const sources = [
  '../browser/',
  '../../protocol/src/',
  '../../client/src/',
  '../../push-trace/src/',
  './',
];
const lock = new URL('../../../package-lock.json', import.meta.url);

/** A hash of everything the build is made of; undefined where the package has no sources. */
export async function sourceHash(): Promise<string | undefined> {
  const hash = createHash('sha256');
  try {
    hash.update(await readFile(lock));
    for (const folder of sources) {
      const url = new URL(folder, import.meta.url);
      const files = await readdir(url, { recursive: true, withFileTypes: true });
      const paths = files
        .filter((file) => file.isFile() && !/\.(test|fixture)\.tsx?$/.test(file.name))
        .map((file) => `${file.parentPath}/${file.name}`)
        .toSorted();
      const texts = await Promise.all(paths.map((path) => readFile(path)));
      for (const [at, path] of paths.entries()) hash.update(`${path}\0`).update(texts[at] ?? '');
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  return hash.digest('hex');
}
