import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The process id of the embedded PostgreSQL that runs in a data directory; undefined if none does. */
export async function embeddedPostgresPid(dataDir: string): Promise<number | undefined> {
  const path = join(dataDir, 'postgres', 'cluster', 'postmaster.pid');
  const pid = Number((await readFile(path, 'utf8').catch(() => '')).split('\n')[0]);
  if (pid === 0) return undefined;
  try {
    process.kill(pid, 0);
    return pid;
  } catch {
    return undefined;
  }
}
