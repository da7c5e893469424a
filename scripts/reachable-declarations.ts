// The declarations of a bundled package that a program can reach: the others take half a megabyte in
// each bot, because a small file takes a whole block of the disk.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The declaration files of a folder that `entries`, paths in it, do not lead to. */
export function unreachableDeclarations(folder: string, entries: readonly string[]): string[] {
  const unreached = new Set(globSync('**/*.d.ts', { cwd: folder }));
  const open = entries.map((path) => join(path));
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (!unreached.delete(path)) continue;
    const text = readFileSync(join(folder, path), 'utf8');
    for (const [, imported = ''] of text.matchAll(/['"](\.{1,2}\/[^'"]+)\.[jt]s['"]/g))
      open.push(join(dirname(path), `${imported}.d.ts`));
  }
  return [...unreached];
}
