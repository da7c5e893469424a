import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname, parse } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** How to run a binary that refuses to run as root, and who must own its files. */
export interface RunAs {
  owner?: { uid: number; gid: number };
  command(binary: string, args: string[]): [file: string, args: string[]];
  spawnOptions: { uid?: number; gid?: number };
}

const nobody = { uid: 65_534, gid: 65_534 };

const asOurselves: RunAs = {
  command: (binary, args) => [binary, args],
  spawnOptions: {},
};

/** Inside a namespace of its own the process appears as nobody, while its files stay ours. */
const inNamespace: RunAs = {
  command: (binary, args) => ['unshare', ['--user', binary, ...args]],
  spawnOptions: {},
};

/**
 * Decides as whom PostgreSQL runs. An ordinary user runs it as themselves, unless they have no name
 * (as in some containers), which initdb refuses. Root gives it to the user who owns the data, or to
 * nobody, if that user can enter the directories on the way; else root keeps the files and runs it
 * in a user namespace, in which it is not root.
 */
export async function runAs(directory: string, binaries: string): Promise<RunAs> {
  if (process.getuid?.() !== 0) {
    return haveName() || !(await canUnshare()) ? asOurselves : inNamespace;
  }
  const { uid, gid } = await stat(directory);
  const owner = uid !== 0 && (await isNamed(uid)) ? { uid, gid } : nobody;
  const closed: string[] = [];
  for (const path of [directory, binaries]) if (!(await canEnter(path, owner))) closed.push(path);
  if (closed.length === 0) return { ...asOurselves, owner, spawnOptions: owner };
  if (await canUnshare()) return { ...inNamespace, owner: { uid: 0, gid: 0 } };
  throw new Error(
    `PostgreSQL does not run as root, and user ${owner.uid} cannot enter ${closed.join(' and ')}. ` +
      'Start as an ordinary user, or use directories that everybody may enter, or set DATABASE_URL',
  );
}

function haveName(): boolean {
  try {
    return userInfo().username !== '';
  } catch {
    return false;
  }
}

async function isNamed(uid: number): Promise<boolean> {
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n');
  return lines.some((line) => line.split(':')[2] === String(uid));
}

async function canEnter(path: string, user: { uid: number; gid: number }): Promise<boolean> {
  const mode = await stat(path);
  const isOwner = mode.uid === user.uid ? 0o100 : mode.gid === user.gid ? 0o010 : 0o001;
  if ((mode.mode & isOwner) === 0) return false;
  return path === parse(path).root || (await canEnter(dirname(path), user));
}

async function canUnshare(): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  return await run('unshare', ['--user', 'true']).then(
    () => true,
    () => false,
  );
}
