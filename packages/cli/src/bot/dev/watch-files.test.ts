import { type FSWatcher, watch } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { type FileWatch, watchFiles } from './watch-files.ts';

const QUIET_MS = 20;
let directory: string;
let changes: string[];
let files: FileWatch;
let witness: FSWatcher;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'bellhop-watch-'));
  await mkdir(join(directory, 'lib'));
  changes = [];
  // However busy the machine is, the quiet time passes only in `quietTime`.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  files = watchFiles({ onChange: (name) => changes.push(name), quietMs: QUIET_MS });
  witness = watch(directory);
});
afterEach(async () => {
  vi.useRealTimers();
  witness.close();
  files.close();
  await rm(directory, { recursive: true });
});

const write = (name: string) => writeFile(join(directory, name), String(Math.random()));
const follow = (...names: string[]) => files.follow(names.map((name) => join(directory, name)));

/** Lets the quiet time pass after everything written until now has been noticed. */
async function quietTime(): Promise<void> {
  const last = `${Math.random()}.txt`;
  const noticed = new Promise<void>((resolve) => {
    witness.on('change', (_event, name) => void (name === last && resolve()));
  });
  await write(last);
  await noticed;
  vi.advanceTimersByTime(QUIET_MS);
}

test('several changes by one save are one change, also if the editor replaces the file', async () => {
  await write('bot.ts');
  follow('bot.ts');
  await write('bot.ts');
  await write('bot.ts');
  await quietTime();
  expect(changes).toEqual(['bot.ts']);
  await write('bot.ts~');
  await rename(join(directory, 'bot.ts~'), join(directory, 'bot.ts'));
  await quietTime();
  expect(changes).toEqual(['bot.ts', 'bot.ts']);
});

test('changes of sources, imported files and .env are reported; those of tests and other data are not', async () => {
  follow('bot.ts', 'words.json', 'lib/a.ts');
  const each = ['new.ts', 'words.json', '.env', 'lib/b.mjs'];
  for (const [index, name] of each.entries()) {
    for (const other of ['bot.test.ts', 'data.json', 'lib/notes.md']) await write(other);
    await quietTime();
    expect(changes).toHaveLength(index);
    await write(name);
    await quietTime();
    expect(changes).toHaveLength(index + 1);
  }
  expect(changes).toEqual(['new.ts', 'words.json', '.env', 'b.mjs']);
});

test('a directory without followed files is not watched any more', async () => {
  follow('bot.ts', 'lib/a.ts');
  follow('bot.ts');
  await write('lib/a.ts');
  await write('bot.ts');
  await quietTime();
  expect(changes).toEqual(['bot.ts']);
});
