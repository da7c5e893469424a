import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { makeDirectory, makeSecretDirectory } from './make-directory.ts';

test('a directory is made with its parents, and may exist already', async () => {
  const base = await mkdtemp(join(tmpdir(), 'bellhop-make-'));
  try {
    const path = join(base, 'a', 'b');
    await Promise.all([makeDirectory(path, 0o700), makeDirectory(path, 0o700)]);
    await makeDirectory(path, 0o700);
    const { mode } = await stat(join(base, 'a'));
    if (process.platform !== 'win32') expect(mode & 0o777).toBe(0o700);
    await writeFile(join(base, 'file'), '');
    for (const taken of [join(base, 'file'), join(base, 'file', 'c')])
      await expect(makeDirectory(taken, 0o700)).rejects.toMatchObject({ code: 'EEXIST' });
  } finally {
    await rm(base, { recursive: true });
  }
});

test('Git ignores a new directory for secrets, and an existing directory stays as it is', async () => {
  const base = await mkdtemp(join(tmpdir(), 'bellhop-make-'));
  try {
    await makeSecretDirectory(join(base, 'a', 'secrets'));
    await makeSecretDirectory(base);
    expect(await readFile(join(base, 'a', 'secrets', '.gitignore'), 'utf8')).toBe('*\n');
    expect(await readdir(base)).toEqual(['a']);
    expect(await readdir(join(base, 'a'))).toEqual(['secrets']);
  } finally {
    await rm(base, { recursive: true });
  }
});

test.runIf(process.platform === 'linux')('a directory below /proc is refused at once', async () => {
  await expect(makeDirectory('/proc/bellhop/data', 0o700)).rejects.toMatchObject({
    code: 'ENOENT',
    path: '/proc/bellhop',
  });
});
