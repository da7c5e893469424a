// Builds all packages and gathers their tarballs in `packed/`.
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';

const root = join(import.meta.dirname, '..');
const turbo = spawnSync(process.execPath, [join(root, 'scripts/turbo.js'), 'run', 'pack'], {
  cwd: root,
  stdio: 'inherit',
});
process.exitCode = turbo.status ?? 1;
if (turbo.status === 0) {
  const folder = join(root, 'packed');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const path of globSync('packages/*/packed/*.tgz', { cwd: root }))
    cpSync(join(root, path), join(folder, basename(path)));
  console.log(`The tarballs of all packages are in ${folder}.`);
}
