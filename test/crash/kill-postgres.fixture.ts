import { readdir, readFile } from 'node:fs/promises';

/**
 * Kills a PostgreSQL with all of its processes at once, as a power failure of its host does: what is
 * not on disk is lost.
 */
export async function killPostgres(postmaster: number): Promise<void> {
  // It starts no process while its processes are looked for.
  process.kill(postmaster, 'SIGSTOP');
  for (const pid of [postmaster, ...(await childrenOf(postmaster))])
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // The process has ended already.
    }
}

/** The processes of a parent; none where there is no /proc, so that only the parent is killed. */
export async function childrenOf(parent: number): Promise<number[]> {
  const found = await readdir('/proc').catch(() => []);
  const parents = await Promise.all(
    found.filter((name) => /^\d+$/.test(name)).map(async (pid) => [pid, await parentOf(pid)]),
  );
  return parents.filter(([, of]) => of === String(parent)).map(([pid]) => Number(pid));
}

async function parentOf(pid: string): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
}
