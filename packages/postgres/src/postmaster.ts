import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { processFacts } from '@bellhop/directory-lock';

export interface Postmaster {
  pid: number;
  isReady: boolean;
}

/** Reads postmaster.pid. Undefined if the cluster has none. */
export async function readPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  if (!Number.isSafeInteger(pid) || pid <= 1) return undefined;
  return { pid, isReady: lines[7]?.trim() === 'ready' };
}

/**
 * Stops the server of a killed program, ends the processes that a killed server left, and removes
 * its postmaster.pid. The caller holds the lock of the directory, so no living program uses the
 * server.
 */
export async function stopOrphan(cluster: string): Promise<void> {
  const orphan = await readPostmaster(cluster);
  if (!orphan) return;
  if (await runsOn(cluster, orphan.pid)) {
    process.kill(orphan.pid, 'SIGINT');
    if (!(await isGone(cluster, orphan.pid, 20_000))) process.kill(orphan.pid, 'SIGQUIT');
    if (!(await isGone(cluster, orphan.pid, 10_000))) {
      throw new Error(
        `The PostgreSQL of an earlier start (process ${orphan.pid}) on ${cluster} does not stop: end it`,
      );
    }
  }
  await endLeftBackends(cluster);
  // PostgreSQL would mistake a zombie, or another process with the same number, for its server.
  await rm(join(cluster, 'postmaster.pid'), { force: true });
}

/**
 * Ends processes whose server is gone. They end by themselves, but not while they are frozen or wait
 * for a lock in memory whose holder was killed; until then no server starts on the cluster. Nothing
 * can be lost: the next server recovers from its log. Elsewhere than on Linux the cluster of a
 * process is not known.
 */
async function endLeftBackends(cluster: string): Promise<void> {
  if (process.platform !== 'linux') return;
  const numbers = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  for (const pid of numbers) {
    if (!(await runsOn(cluster, pid))) continue;
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended meanwhile.
    }
    await isGone(cluster, pid, 5_000);
  }
}

/** Whether the process is one of the PostgreSQL of this cluster, which is its working directory. */
async function runsOn(cluster: string, pid: number): Promise<boolean> {
  const facts = await processFacts(pid);
  if (facts?.name !== 'postgres') return false;
  if (process.platform !== 'linux') return true;
  const directory = await stat(`/proc/${pid}/cwd`).catch(() => undefined);
  const own = await stat(cluster);
  // Not by path: a process of another container may have the same.
  return directory?.dev === own.dev && directory.ino === own.ino;
}

async function isGone(cluster: string, pid: number, withinMs: number): Promise<boolean> {
  for (const end = performance.now() + withinMs; performance.now() < end;) {
    if (!(await runsOn(cluster, pid))) return true;
    await sleep(20);
  }
  return false;
}
