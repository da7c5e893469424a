import { readFileSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { BotError } from '../bot-error.ts';

/** The first line of a file of fileStore, without the key. */
export interface EntryHead {
  readonly version: string;
  /** Milliseconds since 1970, or Infinity. */
  readonly expiresAt: number;
}

/** Reads the head of every file of a fileStore by its key, and deletes the drafts of interrupted writes. */
export async function readEntries(directory: string): Promise<Map<string, EntryHead>> {
  const entries = new Map<string, EntryHead>();
  for (const [index, name] of (await readdir(directory)).entries()) {
    // Synchronous reads of small files are several times faster; the pause lets other work run.
    if (index % 500 === 499) await setImmediate();
    const path = join(directory, name);
    if (name.endsWith('.draft')) rmSync(path, { force: true });
    if (!/^[0-9a-f]{64}\.json$/.test(name)) continue;
    const [head = '', text = ''] = readFileSync(path, 'utf8').split('\n', 2);
    const entry = text === '' ? undefined : readHead(head);
    if (entry === undefined) throw damaged(path);
    entries.set(entry.key, entry);
  }
  return entries;
}

function readHead(line: string): (EntryHead & { readonly key: string }) | undefined {
  try {
    const { key, version, expires_at }: Record<string, unknown> = JSON.parse(line);
    if (typeof key !== 'string' || typeof version !== 'string') return undefined;
    return { key, version, expiresAt: typeof expires_at === 'number' ? expires_at : Infinity };
  } catch {
    return undefined;
  }
}

const damaged = (path: string) =>
  new BotError(
    'store_failed',
    `${path} is damaged: restore it from a backup, or move it out of the directory.`,
  );
