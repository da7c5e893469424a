import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { freePorts } from '@bellhop/http/testing';

import { userOfPostgres } from '../cluster/database-cluster.ts';
import { BINARIES } from '../cluster/member.ts';

/** The password of all its roles. */
export const PASSWORD = 'chatpassword';
export const hasDebian: boolean = existsSync(`${BINARIES}/initdb`);

/** A PostgreSQL 15 of Debian, with the database and the roles of the guide, in a folder of its own. */
export async function startDebian(stack: AsyncDisposableStack, settings: readonly string[] = []) {
  const user = await userOfPostgres();
  const folder = await mkdtemp(join(tmpdir(), 'docs-cluster-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  if (user) await chown(folder, user.uid, user.gid);
  const [port = 0] = await freePorts(1);
  const dataDir = join(folder, 'chat');
  const environment = {
    PATH: `${BINARIES}:${process.env['PATH']}`,
    PGHOST: '127.0.0.1',
    PGPORT: String(port),
    PGUSER: 'postgres',
    PGPASSWORD: PASSWORD,
    FOLDER: folder,
    // Becomes the user of PostgreSQL, as the guide does by sudo.
    AS: user ? `setpriv --reuid=${user.uid} --regid=${user.gid} --clear-groups` : '',
  };
  /** Runs bash, whose `sudo -u postgres` is the user of PostgreSQL. What this machine has not is only named. */
  const bash = async (script: string) => {
    const prelude = `sudo() {
  [ "$1" != -u ] || shift 2
  case "$1" in systemctl | patronictl | install) echo "not here: $*" ;; *) $AS "$@" ;; esac
}
patronictl() { echo "not here: patronictl $*"; }
cd "$FOLDER"`;
    const { stdout } = await promisify(execFile)('bash', ['-euc', `${prelude}\n${script}`], {
      env: environment,
      timeout: 60_000,
    });
    return stdout;
  };
  await writeFile(join(folder, 'password'), PASSWORD);
  await bash(`sudo -u postgres initdb -D ${dataDir} -A scram-sha-256 --pwfile password --encoding UTF8 --locale C.UTF-8
cat >> ${dataDir}/postgresql.conf <<'END'
port = ${port}
unix_socket_directories = ''
fsync = off
${settings.join('\n')}
END`);
  const pgCtl = (words: string) =>
    bash(`sudo -u postgres pg_ctl -D ${dataDir} -l ${folder}/log -w ${words}`);
  await pgCtl('start');
  stack.defer(async () => {
    await pgCtl('-m immediate stop').catch(() => '');
  });
  await bash(`psql -qc "create role chat login password '${PASSWORD}'" -c 'create database chat owner chat' \\
    -c "create role replicator replication login password '${PASSWORD}'"`);
  const urlAt = (at: number) => `postgresql://chat:${PASSWORD}@127.0.0.1:${at}/chat`;
  return { folder, dataDir, port, user, bash, pgCtl, urlAt, url: urlAt(port) };
}
