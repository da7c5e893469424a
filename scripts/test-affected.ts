// Runs the tests that the changes since a commit (default: main) can reach, uncommitted ones included:
// npm run test:affected -- [commit]
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import type { Manifest } from './manifest.ts';

const root = join(import.meta.dirname, '..');
const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);

const [commit = 'main'] = process.argv.slice(2);
const [base = commit] = git('merge-base', commit, 'HEAD');
const changed = [
  ...git('diff', '--name-only', base),
  ...git('ls-files', '--others', '--exclude-standard'),
];
const reaches = new Set(changed.flatMap(reachedBy));
const everything = reaches.has(undefined);
const files = [...reaches]
  .filter((file) => file !== undefined)
  .filter((file) => existsSync(join(root, file)));
if (!everything && files.length === 0) {
  console.log(`No test can be affected by what changed since ${commit}.`);
} else {
  const vitest = join(
    dirname(createRequire(import.meta.url).resolve('vitest/package.json')),
    'vitest.mjs',
  );
  const projects = ['unit', 'flows', 'programs'].flatMap((name) => ['--project', name]);
  const args = everything ? ['run', ...projects] : ['related', '--run', ...projects, ...files];
  const { status } = spawnSync(process.execPath, [vitest, ...args], {
    cwd: root,
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
}

/** Modules to run the tests of, since they use the file in a way imports do not show; undefined means all tests. */
function reachedBy(file: string): (string | undefined)[] {
  const [folder = '', name = ''] = file.split('/');
  // These tests read pages instead of importing them.
  if (file.endsWith('.md'))
    return [
      'test/docs/examples-in.ts',
      'test/docs/reference.ts',
      'test/programs/contributing.test.ts',
      'test/example-transcripts.test.ts',
    ];
  if (folder !== 'packages' && folder !== 'examples' && folder !== 'test') return [undefined];
  // The tests of the structure read all sources.
  const readers = ['test/support/source-files.ts'];
  if (folder === 'test') return [file, ...readers];
  // Some flows start commands as processes of their own.
  const starters = ['test/support/program.ts'];
  if (/\.(js|ts)$/.test(file)) return [file, ...readers, ...starters];
  // Any other file, such as a migration, can affect every module that imports the package.
  return [...entriesOf(join(folder, name)), ...readers, ...starters];
}

/** The modules that a package exports, from the root. */
function entriesOf(folder: string): string[] {
  const manifest = join(root, folder, 'package.json');
  if (!existsSync(manifest)) return [];
  const { exports = {} } = JSON.parse(readFileSync(manifest, 'utf8')) as Partial<Manifest>;
  return Object.values(exports).map((target) => join(folder, target));
}
