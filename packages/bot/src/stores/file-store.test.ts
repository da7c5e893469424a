import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { fileStore } from './file-store.ts';
import { storeContract } from './store-contract.ts';

let directory: string;
let time = 1_000_000;
beforeEach(() => void vi.spyOn(Date, 'now').mockImplementation(() => time));
afterEach(() => vi.restoreAllMocks());

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'bellhop-store-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

async function open() {
  const elapse = async (ms: number) => void (time += ms);
  return { store: fileStore(join(directory, 'new/folder')), elapse };
}

const valueFiles = async () =>
  (await readdir(directory)).filter((name) => name.endsWith('.json')).length;

test.each(storeContract)('file: $name', ({ run }) => run(open));

test('fileStore keeps values, versions and expiry when it is reopened', async () => {
  const first = fileStore(directory);
  const version = await first.set('kept', { a: 1 });
  await first.set('short', 1, { ttlMs: 50 });
  await first.close();
  const second = fileStore(directory);
  expect(await second.get('kept')).toEqual({ value: { a: 1 }, version });
  expect((await second.list('')).toSorted()).toEqual(['kept', 'short']);
  time += 50;
  expect(await second.list('')).toEqual(['kept']);
  await second.close();
});

test('fileStore refuses a directory that another store has open, in this process or another', async () => {
  const first = fileStore(directory);
  await first.set('a', 1);
  const second = fileStore(directory);
  await expect(second.get('a')).rejects.toMatchObject({
    code: 'store_failed',
    message: expect.stringContaining(`in use by process ${process.pid}: stop that program first`),
  });
  await second.close();
  const script = `import { fileStore } from '${new URL('file-store.ts', import.meta.url).href}';
    await fileStore(${JSON.stringify(directory)}).get('a').catch((error) => console.log(error.code));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
  const [printed] = await Promise.all([once(child.stdout, 'data'), once(child, 'exit')]);
  expect(String(printed)).toBe('store_failed\n');
  expect((await first.get('a'))?.value).toBe(1);
  await first.close();
  const third = fileStore(directory);
  expect((await third.get('a'))?.value).toBe(1);
  await third.close();
});

test('fileStore opens a directory once the process that had locked it has ended', async () => {
  const first = fileStore(directory);
  await first.set('a', 1);
  const second = fileStore(directory);
  await expect(second.get('a')).rejects.toMatchObject({ code: 'store_failed' });
  await first.close();
  expect(await second.get('a')).toMatchObject({ value: 1 });
  await second.close();
});

test('of several stores that open one directory at once exactly one succeeds', async () => {
  const stores = Array.from({ length: 8 }, () => fileStore(directory));
  const tries = await Promise.allSettled(stores.map((store) => store.set('a', 1)));
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  await Promise.all(stores.map((store) => store.close()));
  expect((await readdir(directory)).filter((name) => name.startsWith('owner'))).toEqual([]);
});

test('fileStore refuses a directory locked on another host, and names the lock file to delete', async () => {
  await writeFile(
    join(directory, 'owner.lock'),
    JSON.stringify({ pid: 7, host: 'elsewhere', startedAt: '123' }),
  );
  await expect(fileStore(directory).get('a')).rejects.toThrow(
    /process 7 on elsewhere.*delete .*owner\.lock/,
  );
});

test('expired files are deleted when the directory is opened, and by a write a minute later', async () => {
  const first = fileStore(directory);
  for (let index = 0; index < 5; index++) await first.set(`a${index}`, 1, { ttlMs: 50 });
  await first.close();
  time += 50;
  const second = fileStore(directory);
  expect(await second.list('')).toEqual([]);
  expect(await valueFiles()).toBe(0);
  await second.set('b', 1, { ttlMs: 50 });
  time += 60_000;
  await second.set('c', 1);
  expect(await valueFiles()).toBe(1);
  await second.close();
});

test('opening deletes drafts, keeps foreign files, and fails on a damaged value with its path', async () => {
  await writeFile(join(directory, 'x.draft'), 'half');
  await writeFile(join(directory, 'notes.txt'), 'mine');
  const store = fileStore(directory);
  await store.set('a', 1);
  await store.close();
  const names = await readdir(directory);
  expect(names).toHaveLength(2);
  const file = names.find((name) => name.endsWith('.json')) ?? '';
  expect(await readFile(join(directory, file), 'utf8')).toMatch(/^\{"key":"a",.*\}\n1\n$/);
  await writeFile(join(directory, file), '{"key":"a"');
  await expect(fileStore(directory).get('a')).rejects.toThrow(`${file} is damaged`);
  expect(await readdir(directory)).not.toContain('owner.lock');
});
