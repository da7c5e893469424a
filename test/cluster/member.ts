import { chown, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { freePorts } from '@bellhop/http/testing';

import { childrenOf, killPostgres } from '../crash/kill-postgres.fixture.ts';
import type { Etcd } from './etcd.ts';
import { type Filling, guideFile } from './guide-file.ts';
import { type Link, startLink } from './link.ts';
import { supervise, type Supervised } from './process.ts';

export const PASSWORD = 'of the cluster of the tests';
export const BINARIES = '/usr/lib/postgresql/15/bin';

/** One PostgreSQL with its Patroni. */
export interface Member {
  readonly name: string;
  readonly patroni: Supervised;
  readonly dataDir: string;
  /** The file of its Patroni. */
  readonly config: string;
  /** Others reach its PostgreSQL and its Patroni by these, and it etcd by the others. */
  readonly links: { readonly postgres: Link; readonly rest: Link; readonly etcds: readonly Link[] };
  /** Stops or continues PostgreSQL and Patroni with all of their processes. */
  readonly signalAll: (name: 'SIGSTOP' | 'SIGCONT') => Promise<void>;
  readonly killPostgres: () => Promise<void>;
}

export interface User {
  readonly uid: number;
  readonly gid: number;
}
export interface MemberOptions {
  /** 1 to 3. */
  readonly number: number;
  readonly directory: string;
  readonly etcds: readonly Etcd[];
  readonly isSynchronous: boolean;
  /** Runs PostgreSQL; undefined: whoever runs this. */
  readonly user: User | undefined;
  readonly prepareFolder: (folder: string) => Promise<void>;
}

export async function startMember(
  stack: AsyncDisposableStack,
  options: MemberOptions,
): Promise<Member> {
  const { number, directory, etcds, isSynchronous, user, prepareFolder } = options;
  const name = `db${number}`;
  const folder = join(directory, name);
  await mkdir(folder, { mode: 0o700 });
  await prepareFolder(folder);
  if (user) await chown(folder, user.uid, user.gid);
  const [postgresPort = 0, restPort = 0] = await freePorts(2);
  const linkTo = async (port: number) => stack.use(await startLink(port));
  const links = {
    postgres: await linkTo(postgresPort),
    rest: await linkTo(restPort),
    etcds: await Promise.all(etcds.map(({ port }) => linkTo(port))),
  };
  const dataDir = join(folder, 'data');
  const fillings: Filling[] = [
    ['name: db1', `name: ${name}`],
    [' listen: 10.0.0.11:8008', ` listen: 127.0.0.1:${restPort}`],
    ['connect_address: 10.0.0.11:8008', `connect_address: 127.0.0.1:${links.rest.port}`],
    [' listen: 10.0.0.11:5432', ` listen: 127.0.0.1:${postgresPort}`],
    ['connect_address: 10.0.0.11:5432', `connect_address: 127.0.0.1:${links.postgres.port}`],
    // Patroni would learn the addresses of etcd from etcd, and pass by the links.
    ['\netcd:\n', '\netcd:\n  use_proxies: true\n'],
    ...links.etcds.map(({ port }, at): Filling => [`10.0.0.1${at + 1}:2379`, `127.0.0.1:${port}`]),
    ['10.0.0.0/24', '127.0.0.0/8'],
    ['/var/lib/postgresql/15/chat', dataDir],
    ['/var/lib/postgresql/.pgpass_patroni', join(folder, '.pgpass')],
    ['SUPERUSER_PASSWORD', PASSWORD],
    ['REPLICATION_PASSWORD', PASSWORD],
    // The members of this machine would share one.
    ['      parameters:\n', `      parameters:\n        unix_socket_directories: ''\n`],
  ];
  if (!isSynchronous) fillings.push(['synchronous_mode: true', 'synchronous_mode: false']);
  const config = join(folder, 'patroni.yml');
  await writeFile(config, await guideFile('patroni.yml', fillings), { mode: 0o600 });
  if (user) await chown(config, user.uid, user.gid);
  const patroni = supervise({
    command: 'patroni',
    args: [config],
    log: join(directory, `patroni${number}.log`),
    user,
    env: { HOME: folder, PATH: `/usr/bin:/bin:${BINARIES}` },
  });
  const postmaster = async () => {
    const text = await readFile(join(dataDir, 'postmaster.pid'), 'utf8').catch(() => '');
    const pid = Number(text.split('\n')[0]);
    return pid > 0 && signalled(pid, 0) ? pid : undefined;
  };
  const kill = async () => {
    const pid = await postmaster();
    if (pid !== undefined) await killPostgres(pid);
  };
  stack.defer(async () => {
    await patroni[Symbol.asyncDispose]();
    await kill();
  });
  return {
    name,
    patroni,
    dataDir,
    config,
    links,
    killPostgres: kill,
    signalAll: async (signal) => {
      const pid = await postmaster();
      const pids = pid === undefined ? [] : [pid, ...(await childrenOf(pid))];
      for (const one of [patroni.pid(), ...pids]) signalled(one, signal);
    },
  };
}

/** Sends a signal; false if the process has ended. */
function signalled(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
