import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { readState } from './sandbox-state.ts';

test('what was saved is there at the next start, for its owner only', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'bellhop-state-'));
  const dataDir = join(parent, 'data');
  const first = await readState(dataDir);
  first.state.passwords['max@bellhop.example'] = 'a password';
  await first.save();
  const second = await readState(dataDir);
  expect(second.state).toEqual(first.state);
  expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
  expect((await stat(join(dataDir, 'state.json'))).mode & 0o777).toBe(0o600);
  await rm(parent, { recursive: true });
});

test('a damaged file is a complaint that shows no secret, and is left alone', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'bellhop-state-'));
  const file = join(dataDir, 'state.json');
  for (const text of ['{"secret": "abc', '{"secret": "abc"}']) {
    await writeFile(file, text);
    await expect(readState(dataDir)).rejects.toThrow(/^.*state\.json is damaged: [^{}]*$/);
    expect(await readFile(file, 'utf8')).toBe(text);
  }
  await rm(dataDir, { recursive: true });
});

test('a directory that cannot be made is a complaint that says what to choose', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'bellhop-state-'));
  await writeFile(join(parent, 'file'), '');
  await expect(readState(join(parent, 'file', 'data'))).rejects.toThrow('BELLHOP_DATA_DIR');
  await rm(parent, { recursive: true });
});
