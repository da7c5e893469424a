import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { RunAs } from './run-as.ts';

/** Bytes; systems limit the path of a socket to about 104. */
const maxPathLength = 100;
const socketName = '/.s.PGSQL.5432';

/** Creates a directory for the Unix socket, with a short path, that only its owner can enter. */
export async function socketDirectory(
  dataDir: string,
  { owner }: RunAs,
): Promise<{ path: string; remove: () => Promise<void> }> {
  const beside = join(dataDir, 'socket');
  const isShort = Buffer.byteLength(beside + socketName) <= maxPathLength;
  const path = isShort ? beside : await mkdtemp(join(shortTmpdir(), 'bellhop-'));
  if (isShort) {
    // A killed server leaves a lock beside its socket, which counts as long as its number is in use.
    await rm(path, { recursive: true, force: true });
    await mkdir(path);
  }
  await chmod(path, 0o700);
  if (owner) await chown(path, owner.uid, owner.gid);
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

function shortTmpdir(): string {
  return Buffer.byteLength(tmpdir()) < 60 ? tmpdir() : '/tmp';
}
