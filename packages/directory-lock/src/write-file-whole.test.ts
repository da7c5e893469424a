import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { writeFileWhole } from './write-file-whole.ts';

test('writeFileWhole replaces a file, and deletes its draft on failure', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'bellhop-store-'));
  try {
    const [path, draft] = [join(directory, 'a'), join(directory, 'a.draft')];
    await writeFileWhole(path, 'old', draft);
    await writeFileWhole(path, 'new', draft);
    expect(await readFile(path, 'utf8')).toBe('new');
    await mkdir(join(directory, 'taken/by'), { recursive: true });
    await expect(writeFileWhole(join(directory, 'taken'), 'x', draft)).rejects.toThrow(/EISDIR/);
    expect((await readdir(directory)).toSorted()).toEqual(['a', 'taken']);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
