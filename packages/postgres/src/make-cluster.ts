import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type { EmbeddedBinaries } from './embedded-binaries.ts';
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
  await rm(unfinished, { recursive: true, force: true });
  const version = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => undefined);
  if (version === undefined) {
    await mkdir(unfinished, { mode: 0o700 });
    if (options.as.owner) await chown(unfinished, options.as.owner.uid, options.as.owner.gid);
    await initdb(dataDir, unfinished, options);
    await rename(unfinished, cluster);
  } else if (Number(version) !== majorVersion) {
    throw new Error(
      `The data in ${cluster} is of PostgreSQL ${version.trim()}, this program has ${majorVersion}: ` +
        'move the data with pg_dump and pg_restore, or choose another data directory',
    );
  }
  await changeOwner(options.as, cluster);
  return cluster;
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
