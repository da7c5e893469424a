// Builds packages and gathers their tarballs: all of them in `packed/`, or with FOLDER NAME ... these and what
// they need of ours in that folder. Waits for another run of it.
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { readManifest } from './manifest.ts';

const root = join(import.meta.dirname, '..');
const lock = join(root, 'packed.lock');
const [given, ...names] = process.argv.slice(2);
const folder = given ?? join(root, 'packed');
/** The packages by name: the folder of each, and which of ours it needs where it is installed. */
const ours = new Map(
  globSync('packages/*/package.json', { cwd: root }).map((path) => {
    const { name, dependencies, optionalDependencies } = readManifest(join(root, path));
    const needs = Object.keys({ ...dependencies, ...optionalDependencies });
    return [name, { directory: join(root, dirname(path)), needs }];
  }),
);

while (!locked()) await sleep(200);
try {
  process.exitCode = pack();
} finally {
  rmSync(lock, { force: true });
}

function pack(): number {
  const wanted = [...neededBy(names.length > 0 ? names : [...ours.keys()])];
  const filters = names.length > 0 ? wanted.map((name) => `--filter=${name}`) : [];
  const args = [join(root, 'scripts/turbo.ts'), 'run', 'pack', ...filters];
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) return status ?? 1;
  if (given === undefined) rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const name of wanted) {
    const directory = ours.get(name)?.directory ?? '';
    for (const path of globSync('packed/*.tgz', { cwd: directory }))
      cpSync(join(directory, path), join(folder, basename(path)));
  }
  console.log(`The tarballs are in ${folder}.`);
  return 0;
}

/** Packages of ours, with those that they need. */
function neededBy(wanted: readonly string[]): Set<string> {
  const found = new Set<string>();
  const open = [...wanted];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const one = ours.get(name);
    if (!one || found.has(name)) continue;
    found.add(name);
    open.push(...one.needs);
  }
  return found;
}

/** Takes the lock, also from a process that has ended. False if a running process has it. */
function locked(): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    if (!isRunning(owner())) rmSync(lock, { force: true });
    return false;
  }
}

/** The process that has the lock; 0 if it has not yet written its number, or has just given the lock back. */
function owner(): number {
  try {
    return Number(readFileSync(lock, 'utf8'));
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    return 0;
  }
}

function isRunning(pid: number): boolean {
  try {
    return pid === 0 || process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
