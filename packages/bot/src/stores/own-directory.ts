import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { BotError } from '../bot-error.ts';

/**
 * Makes this process the only owner of a directory; the function it returns gives the directory
 * back. What a killed owner left behind is taken over. BotError `store_failed` where a living
 * process owns it, or where nobody can tell: an owner on another machine or in another container.
 */
export async function ownDirectory(directory: string): Promise<() => Promise<void>> {
  const path = join(directory, 'owner.lock');
  const mine = `${process.pid} ${hostname()} ${(await startOf(process.pid)) ?? ''}\n`;
  for (let attempt = 0; attempt < 5; attempt++) {
    if (await claim(path, mine)) return () => rm(path, { force: true });
    const found = await readFile(path, 'utf8').catch(() => undefined);
    if (found === undefined) continue;
    const [pid = '', host, ...start] = found.trim().split(' ');
    if (host !== hostname()) throw elsewhere(directory, path, `process ${pid} on ${host}`);
    const alive = await startOf(Number(pid));
    if (alive !== undefined && alive === start.join(' ')) throw inUse(directory, pid);
    await removeStale(path, found);
  }
  throw inUse(directory, 'that is starting at the same time');
}

/** A link appears whole or not at all, and never in the place of another file. */
async function claim(path: string, content: string): Promise<boolean> {
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, content, { mode: 0o600 });
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Puts aside exactly the lock that was read: one that has come meanwhile is given back. */
async function removeStale(path: string, stale: string): Promise<void> {
  const aside = `${path}.${randomUUID()}`;
  await rename(path, aside).catch(() => {});
  const moved = await readFile(aside, 'utf8').catch(() => undefined);
  if (moved !== undefined && moved !== stale) await link(aside, path).catch(() => {});
  await rm(aside, { force: true });
}

/** When a process started, in a form that only equals itself; undefined when none has the number. */
async function startOf(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') return await startInProc(pid);
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return undefined;
  }
  // Windows does not tell cheaply: there a process with the number of a dead owner passes for it.
  if (process.platform === 'win32') return '';
  const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' };
  const { stdout } = await promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(pid)], { env });
  return stdout.trim().replaceAll(/\s+/g, ' ');
}

async function startInProc(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  const [state, ...fields] = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
  if (state === undefined || state === 'Z' || state === 'X') return undefined;
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
  return `${boot.trim()}/${fields[18]}`;
}

const inUse = (directory: string, pid: string) =>
  new BotError(
    'store_failed',
    `${directory} is in use by process ${pid}: stop that program first, or give this bot another ` +
      'directory.',
  );

const elsewhere = (directory: string, path: string, owner: string) =>
  new BotError(
    'store_failed',
    `${directory} was taken by ${owner}, and from here nobody can tell whether that still runs: ` +
      `if it does not, delete ${path}.`,
  );
