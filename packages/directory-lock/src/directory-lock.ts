import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { type LockOwner, ownProcess, parseOwner, stateOf } from './lock-owner.ts';
import { createFileWhole } from './write-file-whole.ts';

export { makeDirectory, makeSecretDirectory } from './make-directory.ts';
export { processFacts, type ProcessFacts } from './process-facts.ts';
export { createFileWhole, syncDirectory, writeFileWhole } from './write-file-whole.ts';

export interface DirectoryLockOptions {
  /**
   * For a lock of another host or container, whose processes this one cannot see. Use `take over`
   * for directories that one host after another mounts.
   */
  readonly otherHost: 'refuse' | 'take over';
}
export interface DirectoryLock {
  readonly release: () => Promise<void>;
}

/** Another process owns the directory. The message gives advice. */
export class DirectoryInUse extends Error {
  override readonly name = 'DirectoryInUse';
}

const MAX_ATTEMPTS = 100;
const PAUSE_MS = 10;

/**
 * Makes this process the only owner of a directory until `release`. Takes over the lock of a process
 * that has ended, also if it was killed. Throws DirectoryInUse. Of several processes that try at the
 * same time, one succeeds.
 */
export async function lockDirectory(
  directory: string,
  { otherHost }: DirectoryLockOptions,
): Promise<DirectoryLock> {
  const path = join(directory, 'owner.lock');
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const found = await tryLock(path, otherHost);
    if (found === 'locked') return { release: () => rm(path, { force: true }) };
    if (found === 'changing') await sleep(PAUSE_MS);
    else if (found.state === 'alive') throw inUse(directory, found.owner);
    else throw inUseElsewhere(directory, found);
  }
  throw new DirectoryInUse(
    `Several programs are starting on ${directory} at the same time: start only one`,
  );
}

/** A lock that is not taken over. */
interface OtherLock {
  readonly path: string;
  readonly state: 'alive' | 'unknown';
  readonly owner: LockOwner;
}

/** `changing`: a stale lock was removed, or another process is removing it. Try again. */
async function tryLock(
  path: string,
  otherHost: DirectoryLockOptions['otherHost'],
): Promise<'locked' | 'changing' | OtherLock> {
  if (await createFileWhole(path, JSON.stringify(await ownProcess()))) return 'locked';
  const found = await readFile(path, 'utf8').catch(() => undefined);
  if (found === undefined) return 'changing';
  const owner = parseOwner(found);
  const state = owner ? await stateOf(owner) : 'ended';
  if (owner && (state === 'alive' || (state === 'unknown' && otherHost === 'refuse')))
    return { path, state, owner };
  return await removeStale(path, found);
}

/**
 * Removes a stale lock, but not one that another process has created in its place: a second lock,
 * named after the content of the stale one, lets one process at a time compare and remove it. The
 * second lock is never taken over from another host, whose process may be about to remove the first.
 */
async function removeStale(path: string, stale: string): Promise<'changing' | OtherLock> {
  const guard = `${path}.${createHash('sha256').update(stale).digest('hex').slice(0, 16)}`;
  const guarding = await tryLock(guard, 'refuse');
  if (guarding !== 'locked')
    return typeof guarding === 'object' && guarding.state === 'unknown' ? guarding : 'changing';
  try {
    const present = await readFile(path, 'utf8').catch(() => undefined);
    if (present === stale) await rm(path, { force: true });
  } finally {
    await rm(guard, { force: true });
  }
  return 'changing';
}

/** The process of this host that owns a directory; undefined if none does. Changes nothing. */
export async function livingOwner(directory: string): Promise<number | undefined> {
  const found = await readFile(join(directory, 'owner.lock'), 'utf8').catch(() => '');
  const owner = parseOwner(found);
  return owner && (await stateOf(owner)) === 'alive' ? owner.pid : undefined;
}

const inUse = (directory: string, { pid }: LockOwner) =>
  new DirectoryInUse(
    `The directory ${directory} is in use by process ${pid}: stop that program first, or choose ` +
      'another directory',
  );

const inUseElsewhere = (directory: string, { path, owner: { pid, host } }: OtherLock) =>
  new DirectoryInUse(
    `The directory ${directory} is locked by process ${pid} on ${host}, and ${hostname()} cannot ` +
      `tell whether that process still runs. If it does not, delete ${path}`,
  );
