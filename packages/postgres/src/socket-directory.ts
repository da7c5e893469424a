import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { RunAs } from './run-as.ts';

/** The system's limit is about 104 bytes for the whole path. */
const longestPath = 100;
const socketName = '/.s.PGSQL.5432';

/** A directory for the server's Unix socket that only its owner can enter, with a short enough path. */
export async function socketDirectory(
  dataDir: string,
  { owner }: RunAs,
): Promise<{ path: string; remove: () => Promise<void> }> {
  const beside = join(dataDir, 'socket');
  const isShort = Buffer.byteLength(beside + socketName) <= longestPath;
  const path = isShort ? beside : await mkdtemp(join(shortTmpdir(), 'bellhop-'));
  if (isShort) await mkdir(path, { recursive: true });
  await chmod(path, 0o700);
  if (owner) await chown(path, owner.uid, owner.gid);
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

function shortTmpdir(): string {
  return Buffer.byteLength(tmpdir()) < 60 ? tmpdir() : '/tmp';
}
