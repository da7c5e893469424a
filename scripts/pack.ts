// Builds all packages and gathers their tarballs in `packed/`. Waits for another run of it.
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'packed');
const lock = join(root, 'packed.lock');

while (!locked()) await sleep(200);
try {
  process.exitCode = pack();
} finally {
  rmSync(lock, { force: true });
}

function pack(): number {
  const args = [join(root, 'scripts/turbo.ts'), 'run', 'pack'];
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) return status ?? 1;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const path of globSync('packages/*/packed/*.tgz', { cwd: root }))
    cpSync(join(root, path), join(folder, basename(path)));
  console.log(`The tarballs of all packages are in ${folder}.`);
  return 0;
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
