import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import {
  access,
  chown,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { livingOwner } from '@bellhop/directory-lock';

import type { EmbeddedBinaries } from './embedded-binaries.ts';
import { errorCode } from './error-code.ts';
import type { RunAs } from './run-as.ts';

const run = promisify(execFile);

const majorVersion = 18;
export const userName = 'bellhop';

interface ClusterOptions {
  binaries: EmbeddedBinaries;
  as: RunAs;
  fsync: boolean;
}

/**
 * Creates the cluster of a data directory if it is missing; returns its path. The new cluster is
 * renamed into place when it is complete, so that an interrupted initdb leaves no broken cluster.
 */
export async function makeCluster(dataDir: string, options: ClusterOptions): Promise<string> {
  const cluster = join(dataDir, 'cluster');
  const unfinished = join(dataDir, 'cluster.unfinished');
  if (!(await hasCluster(dataDir))) {
    await rm(unfinished, { recursive: true, force: true });
    await mkdir(unfinished, { mode: 0o700 });
    if (options.as.owner) await chown(unfinished, options.as.owner.uid, options.as.owner.gid);
    await initdb(dataDir, unfinished, options);
    await rename(unfinished, cluster);
  }
  await changeOwner(options.as, cluster);
  return cluster;
}

/**
 * Whether a data directory has a cluster. Throws if it is one of another version of PostgreSQL, or if
 * something else stands in its place. Changes nothing.
 */
async function hasCluster(dataDir: string): Promise<boolean> {
  const cluster = join(dataDir, 'cluster');
  const version = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => undefined);
  if (version === undefined) {
    const files = await readdir(cluster).catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return [];
      throw error;
    });
    if (files.length === 0) return false;
    throw new Error(
      `${cluster} is no directory of PostgreSQL, it has no file PG_VERSION: choose another data directory`,
    );
  }
  if (Number(version) === majorVersion) return true;
  throw new Error(
    `The data in ${cluster} is of PostgreSQL ${version.trim()}, this program has ${majorVersion}: ` +
      'move the data with pg_dump and pg_restore, or choose another data directory',
  );
}

/**
 * Throws if the embedded PostgreSQL could not start on a data directory. Resolves with the process that
 * uses the directory; undefined if none does. Changes nothing.
 */
export async function checkDataDirectory(dataDir: string): Promise<number | undefined> {
  let nearest = resolve(dataDir);
  while (!existsSync(nearest)) nearest = dirname(nearest);
  if (!(await stat(nearest)).isDirectory()) throw new Error(`${nearest} is no directory`);
  await access(nearest, constants.W_OK | constants.X_OK);
  await hasCluster(dataDir);
  return livingOwner(dataDir);
}

async function initdb(dataDir: string, cluster: string, { binaries, as, fsync }: ClusterOptions) {
  const isLocal = process.platform !== 'win32';
  const passwordFile = isLocal ? undefined : await makePassword(dataDir);
  const [file, args] = as.command(binaries.initdb, [
    `--pgdata=${cluster}`,
    `--username=${userName}`,
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    // The directory of the socket, which only its owner can enter, decides who can connect.
    `--auth-local=${isLocal ? 'trust' : 'scram-sha-256'}`,
    '--auth-host=scram-sha-256',
    ...(passwordFile ? [`--pwfile=${passwordFile}`] : []),
    ...(fsync ? [] : ['--no-sync']),
  ]);
  const env = { PATH: process.env['PATH'], ...binaries.env };
  await run(file, args, { ...as.spawnOptions, cwd: dataDir, env }).catch((error: unknown) => {
    throw new Error(`initdb failed in ${dataDir}: ${lastLines(error)}`);
  });
}

function lastLines(error: unknown): string {
  const stderr = error instanceof Error && 'stderr' in error ? String(error.stderr) : '';
  return stderr.trim().split('\n').slice(-5).join('\n') || String(error);
}

export const passwordPath = (dataDir: string) => join(dataDir, 'password');

async function makePassword(dataDir: string): Promise<string> {
  const path = passwordPath(dataDir);
  await writeFile(path, randomBytes(24).toString('base64url'), { mode: 0o600 });
  return path;
}

/** Changes the owner of the files if the cluster was created as another user. */
async function changeOwner({ owner }: RunAs, directory: string): Promise<void> {
  if (!owner || (await stat(directory)).uid === owner.uid) return;
  await run('chown', ['-R', `${owner.uid}:${owner.gid}`, directory]);
}
