import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { processFacts } from './process-facts.ts';

interface Owner {
  pid: number;
  startedAt?: string;
}

/**
 * Makes this process the only owner of a directory until it releases it. A lock whose process is
 * gone is taken over; a living owner is a one-line error. Every step is one that only one of
 * several competitors can win.
 */
export async function lockDirectory(directory: string): Promise<{ release: () => Promise<void> }> {
  const path = join(directory, 'owner.lock');
  const startedAt = (await processFacts(process.pid))?.startedAt;
  const mine = JSON.stringify({ pid: process.pid, ...(startedAt && { startedAt }) });
  for (let attempt = 0; attempt < 5; attempt += 1) {
    if (await claim(path, mine)) return { release: () => rm(path, { force: true }) };
    const found = await readFile(path, 'utf8').catch(() => undefined);
    if (found === undefined) continue;
    const owner = parseOwner(found);
    if (owner && (await isAlive(owner))) {
      throw new Error(
        `The data directory ${directory} is in use by process ${owner.pid}: ` +
          'stop that program first, or choose another data directory',
      );
    }
    await removeStale(path, found);
  }
  throw new Error(`Several programs are starting on ${directory} at the same time: start one`);
}

/** A linked file appears whole or not at all, and never over another one. */
async function claim(path: string, content: string): Promise<boolean> {
  const candidate = `${path}.${randomUUID()}`;
  await writeFile(candidate, content, { mode: 0o600 });
  try {
    await link(candidate, path);
    return true;
  } catch {
    return false;
  } finally {
    await rm(candidate, { force: true });
  }
}

/** Moves the lock away, and puts it back if someone else has meanwhile made it theirs. */
async function removeStale(path: string, stale: string): Promise<void> {
  const aside = `${path}.${randomUUID()}`;
  await rename(path, aside).catch(() => {});
  const moved = await readFile(aside, 'utf8').catch(() => undefined);
  if (moved !== undefined && moved !== stale) await link(aside, path).catch(() => {});
  await rm(aside, { force: true });
}

async function isAlive(owner: Owner): Promise<boolean> {
  const facts = await processFacts(owner.pid);
  return facts !== undefined && facts.startedAt === owner.startedAt;
}

function parseOwner(text: string): Owner | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || !('pid' in value)) return undefined;
    if (typeof value.pid !== 'number') return undefined;
    const started = 'startedAt' in value ? value.startedAt : undefined;
    return { pid: value.pid, ...(typeof started === 'string' && { startedAt: started }) };
  } catch {
    return undefined;
  }
}
