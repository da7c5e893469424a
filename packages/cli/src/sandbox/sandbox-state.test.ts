import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { readState } from './sandbox-state.ts';

test('readState returns the saved state at the next start; only the owner may read its file', async () => {
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

test('saves that overlap leave the state of the last one', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'bellhop-state-'));
  const { state, save } = await readState(dataDir);
  const saves = ['first', 'second', 'third'].map((password) => {
    state.passwords['max@bellhop.example'] = password;
    return save();
  });
  await Promise.all(saves);
  expect((await readState(dataDir)).state.passwords['max@bellhop.example']).toBe('third');
  await rm(dataDir, { recursive: true });
});

test('secrets that the file of an older version does not have are made once', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'bellhop-state-'));
  const file = join(dataDir, 'state.json');
  const { state } = await readState(dataDir);
  const { operator_token, bouncer_encryption_key, ...older } = state;
  await writeFile(file, JSON.stringify(older));
  const first = await readState(dataDir);
  expect(first.state.bouncer_encryption_key).not.toBe(bouncer_encryption_key);
  expect(first.state.operator_token).not.toBe(operator_token);
  expect((await readState(dataDir)).state).toEqual(first.state);
  await rm(dataDir, { recursive: true });
});

test('readState rejects a damaged file without showing a secret, and keeps the file', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'bellhop-state-'));
  const file = join(dataDir, 'state.json');
  for (const text of ['{"secret": "abc', '{"secret": "abc"}']) {
    await writeFile(file, text);
    await expect(readState(dataDir)).rejects.toThrow(/^.*state\.json is damaged: [^{}]*$/);
    expect(await readFile(file, 'utf8')).toBe(text);
  }
  await rm(dataDir, { recursive: true });
});

test('readState replaces no state that it cannot read, and names BELLHOP_DATA_DIR', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'bellhop-state-'));
  for (const taken of ['state.json.new', 'state.json']) {
    await mkdir(join(dataDir, taken));
    await expect(readState(dataDir)).rejects.toThrow('BELLHOP_DATA_DIR');
    await rm(join(dataDir, taken), { recursive: true });
  }
  await rm(dataDir, { recursive: true });
});

test('readState names BELLHOP_DATA_DIR if the directory cannot be made', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'bellhop-state-'));
  await writeFile(join(parent, 'file'), '');
  await expect(readState(join(parent, 'file', 'data'))).rejects.toThrow('BELLHOP_DATA_DIR');
  await rm(parent, { recursive: true });
});
