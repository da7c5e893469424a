import { execSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, 'peers');

/** Installs the frameworks that benchmarks compare with, unless their lock file is installed already. */
export function installPeers(): void {
  const installed = statSync(join(folder, 'node_modules/.package-lock.json'), {
    throwIfNoEntry: false,
  });
  const locked = statSync(join(folder, 'package-lock.json'));
  if (installed && installed.mtimeMs >= locked.mtimeMs) return;
  console.log('Installing the frameworks to compare with (npm ci in test/bench/peers) ...');
  execSync('npm ci', { cwd: folder, stdio: 'inherit' });
}
