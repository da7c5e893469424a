import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { DirectoryInUse, lockDirectory } from './directory-lock.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'bellhop-lock-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const lock = (otherHost: 'refuse' | 'take over' = 'refuse') =>
  lockDirectory(directory, { otherHost });
const writeLock = (content: string) => writeFile(join(directory, 'owner.lock'), content);

/** Another process that owns the directory. */
async function startOwner() {
  const module = JSON.stringify(new URL('directory-lock.ts', import.meta.url).href);
  const script = `const { lockDirectory } = await import(${module});
    await lockDirectory(${JSON.stringify(directory)}, { otherHost: 'refuse' });
    console.log('locked');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
  await once(child.stdout, 'data');
  return child;
}

test('lockDirectory throws DirectoryInUse while this process owns the directory', async () => {
  const first = await lock();
  await expect(lock()).rejects.toThrow(DirectoryInUse);
  await expect(lock()).rejects.toThrow(`in use by process ${process.pid}: stop that program`);
  await first.release();
  await (await lock()).release();
  expect(await readdir(directory)).toEqual([]);
});

test('lockDirectory refuses while another process lives, and succeeds once it was killed', async () => {
  const owner = await startOwner();
  await expect(lock()).rejects.toThrow(`in use by process ${owner.pid}`);
  owner.kill('SIGKILL');
  await once(owner, 'exit');
  await (await lock()).release();
});

test('one of 20 concurrent calls locks the directory', async () => {
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => lock()));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await readdir(directory)).toEqual(['owner.lock']);
});

test('one of 20 concurrent calls takes over the lock of an ended process', async () => {
  await writeLock(JSON.stringify({ pid: process.pid, host: hostname(), startedAt: 'long ago' }));
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => lock()));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await readdir(directory)).toEqual(['owner.lock']);
});

test.skipIf(process.platform === 'win32')(
  'a lock is taken over if its process number belongs to a later process',
  async () => {
    await writeLock(JSON.stringify({ pid: process.pid, host: hostname(), startedAt: 'long ago' }));
    await (await lock()).release();
  },
);

test('a lock of another host is refused with the file to delete, or taken over', async () => {
  await writeLock(JSON.stringify({ pid: 7, host: 'elsewhere', startedAt: '123' }));
  await expect(lock('refuse')).rejects.toThrow(/process 7 on elsewhere.*delete .*owner\.lock/);
  await (await lock('take over')).release();
});

test.each(['', 'no JSON', '[]', 'null', '{"pid":"7"}'])(
  'the invalid lock %j is taken over',
  async (content) => {
    await writeLock(content);
    await (await lock()).release();
  },
);

test('a stale lock is not removed while another host removes it', async () => {
  await writeLock(JSON.stringify({ pid: 7, host: 'elsewhere', startedAt: '123' }));
  const stale = await readFile(join(directory, 'owner.lock'), 'utf8');
  const guard = `owner.lock.${createHash('sha256').update(stale).digest('hex').slice(0, 16)}`;
  const other = JSON.stringify({ pid: 8, host: 'third', startedAt: '456' });
  await writeFile(join(directory, guard), other);
  await expect(lock('take over')).rejects.toThrow(
    new RegExp(`process 8 on third.*delete .*${guard}`),
  );
  expect(await readFile(join(directory, 'owner.lock'), 'utf8')).toBe(stale);
  await rm(join(directory, guard));
  await (await lock('take over')).release();
});
