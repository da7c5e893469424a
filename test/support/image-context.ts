import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Copies what the build of a container image gets of the repository, as `Containerfile.dockerignore` says,
 * with the installed packages, to a new folder.
 */
export function copyImageContext(dockerignore: string, folder: string): void {
  const lines = readFileSync(dockerignore, 'utf8').split('\n').filter(Boolean);
  const taken = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  const left = lines
    .filter((line) => line.startsWith('**/'))
    .map((line) => new RegExp(`^${line.slice(3).replaceAll('.', '\\.').replaceAll('*', '.*')}$`));
  const isTaken = (path: string) => !left.some((pattern) => pattern.test(basename(path)));
  mkdirSync(folder);
  for (const name of taken.flatMap((pattern) => globSync(pattern, { cwd: root })))
    cpSync(join(root, name), join(folder, name), { recursive: true, filter: isTaken });
  linkPackages(folder);
}

/** The packages of this repository are those of the folder. */
function linkPackages(folder: string): void {
  const [from, to] = [join(root, 'node_modules'), join(folder, 'node_modules')];
  mkdirSync(join(to, '@bellhop'), { recursive: true });
  for (const name of readdirSync(from))
    if (name !== '@bellhop') symlinkSync(join(from, name), join(to, name));
  for (const name of readdirSync(join(from, '@bellhop'))) {
    const ours = join(folder, 'packages', name);
    if (existsSync(ours)) symlinkSync(ours, join(to, '@bellhop', name));
  }
}
