// Makes the tarball of the package in whose folder it runs, as `packed/<name>-<version>.tgz`. In the
// repository, `exports` names sources, which run without a build. In the tarball it names `dist`.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

import { bundlePackage, resourceDeclarations } from './bundle-package.ts';
import { publishedSources, readManifest } from './manifest.ts';
import { publishedManifest } from './published-manifest.ts';
import { unreachableDeclarations } from './reachable-declarations.ts';

const root = join(import.meta.dirname, '..');
const staged = join('packed', 'package');
const manifest = readManifest('package.json');
const workspaces = globSync('packages/*/package.json', { cwd: root }).map((path) =>
  readManifest(join(root, path)),
);

rmSync('packed', { recursive: true, force: true });
const isBundled = manifest.publishConfig?.bundle === true;
if (isBundled) await bundlePackage(manifest, join(staged, 'dist'));
for (const { from, to } of files()) {
  mkdirSync(dirname(join(staged, to)), { recursive: true });
  cpSync(from, join(staged, to));
}
if (manifest.name === '@bellhop/protocol') {
  const text = resourceDeclarations(readFileSync('src/api/resources.ts', 'utf8'));
  writeFileSync(join(staged, 'dist/api/resources.d.ts'), text);
}
if (isBundled) {
  const entries = publishedSources(manifest).map((path) =>
    path.replace(/^\.\/src\/(.*)\.ts$/, 'dist/$1.d.ts'),
  );
  for (const path of unreachableDeclarations(staged, entries)) rmSync(join(staged, path));
}
const published = publishedManifest(manifest, workspaces);
writeFileSync(join(staged, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
const args = [
  'pack',
  `./${staged}`,
  '--pack-destination',
  'packed',
  '--silent',
  '--ignore-scripts',
];
const npm = spawnSync('npm', args, { stdio: 'inherit', shell: process.platform === 'win32' });
rmSync(staged, { recursive: true });
process.exitCode = npm.status ?? 1;

/** The built files, the files that the code reads at run time, and the documentation. */
function* files(): Generator<{ readonly from: string; readonly to: string }> {
  // The folder also has files of a former build, whose sources are gone.
  for (const from of named(isBundled ? 'dist/**/*.d.ts' : 'dist/**/*.{js,js.map,d.ts}'))
    if (existsSync(from.replace(/^dist/, 'src').replace(/\.(?:d\.ts|js|js\.map)$/, '.ts')))
      yield { from, to: from };
  const isAsset = (path: string) => !path.endsWith('.ts') || path.includes('/templates/');
  for (const from of named('src/**/*').filter(isAsset))
    yield { from, to: from.replace(/^src/, 'dist') };
  for (const folder of manifest.files ?? [])
    for (const from of named(`${folder}/**/*`)) yield { from, to: from };
  yield { from: 'README.md', to: 'README.md' };
  yield { from: join(root, 'LICENSE'), to: 'LICENSE' };
  // The only package that contains the work of others.
  if (manifest.name === '@bellhop/console') yield { from: join(root, 'NOTICE'), to: 'NOTICE' };
}

function named(pattern: string): string[] {
  return globSync(pattern).filter((path) => statSync(path).isFile());
}
