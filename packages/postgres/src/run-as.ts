import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname, parse } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** How to run a binary that refuses to run as root, and the owner of its files. */
export interface RunAs {
  owner?: { uid: number; gid: number };
  command(binary: string, args: string[]): [file: string, args: string[]];
  spawnOptions: { uid?: number; gid?: number };
}

const nobody = { uid: 65_534, gid: 65_534 };

const asPresentUser: RunAs = {
  command: (binary, args) => [binary, args],
  spawnOptions: {},
};

/** In a user namespace the process is user nobody, but its files belong to the present user. */
const inNamespace: RunAs = {
  command: (binary, args) => ['unshare', ['--user', binary, ...args]],
  spawnOptions: {},
};

/**
 * Decides which user PostgreSQL runs as. An ordinary user runs it directly, or in a user namespace if
 * the user has no name (as in some containers), which initdb refuses. Root runs it as the owner of
 * the data, or as nobody, if that user can enter the directories; else in a user namespace.
 */
export async function runAs(directory: string, binaries: string): Promise<RunAs> {
  if (process.getuid?.() !== 0) {
    return haveName() || !(await canUnshare()) ? asPresentUser : inNamespace;
  }
  const { uid, gid } = await stat(directory);
  const owner = uid !== 0 && (await isNamed(uid)) ? { uid, gid } : nobody;
  const closed: string[] = [];
  for (const path of [directory, binaries]) if (!(await canEnter(path, owner))) closed.push(path);
  if (closed.length === 0) return { ...asPresentUser, owner, spawnOptions: owner };
  if (await canUnshare()) return { ...inNamespace, owner: { uid: 0, gid: 0 } };
  throw new Error(
    `PostgreSQL does not run as root, and user ${owner.uid} cannot enter ${closed.join(' and ')}. ` +
      'Start as an ordinary user, or use directories that every user can enter',
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
