import { execFile } from 'node:child_process';
import { cp, lstat, mkdtemp, readdir, rm, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

import { embeddedBinaries, linkLibraries } from './embedded-binaries.ts';

test('the binaries run without the links of the install script', async () => {
  const spare = await mkdtemp(join(tmpdir(), 'bellhop-binaries-'));
  try {
    const root = join(spare, 'package');
    await cp((await embeddedBinaries(spare)).root, root, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (source) => !/share|node_modules.node_modules/.test(source),
    });
    const libraries = join(root, 'native', 'lib');
    for (const name of await readdir(libraries)) {
      const path = join(libraries, name);
      if ((await lstat(path)).isSymbolicLink()) await unlink(path);
    }
    const postgres = join(root, 'native', 'bin', 'postgres');
    await expect(promisify(execFile)(postgres, ['--version'])).rejects.toThrow('shared libraries');

    const { env } = await linkLibraries(root, join(spare, 'lib'), () => false);
    const elsewhere = await promisify(execFile)(postgres, ['--version'], { env });
    expect(elsewhere.stdout).toContain('18.');

    expect(await linkLibraries(root, join(spare, 'lib'))).toEqual({ env: {} });
    const inPlace = await promisify(execFile)(postgres, ['--version'], { env: {} });
    expect(inPlace.stdout).toContain('18.');
  } finally {
    await rm(spare, { recursive: true, force: true });
  }
});
