import { execFile } from 'node:child_process';
import { chown, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

import { freePorts } from '@bellhop/http/testing';
import { openDatabase } from '@bellhop/postgres';

import { type Etcd, startEtcds } from './etcd.ts';
import { type Filling, guideFile } from './guide-file.ts';
import { type Member, type MemberOptions, PASSWORD, startMember, type User } from './member.ts';
import { supervise, type Supervised } from './process.ts';

const run = promisify(execFile);
const STARTS_WITHIN_MS = 180_000;
const STATE_WITHIN_MS = 30_000;

export interface DatabaseCluster extends AsyncDisposable {
  readonly members: readonly Member[];
  readonly etcds: readonly Etcd[];
  readonly haproxy: Supervised;
  /** The port of HAProxy that leads to the primary. */
  readonly port: number;
  /** The ports of HAProxy that lead to the nodes. */
  readonly chatPort: number;
  readonly bouncerPort: number;
  readonly url: (database: string, port: number) => string;
  /** The members as Patroni has them. */
  readonly state: () => Promise<readonly MemberState[]>;
  readonly primary: () => Promise<Member>;
  /** A number that a promoted standby increases. */
  readonly timeline: () => Promise<number>;
  readonly switchOver: () => Promise<void>;
}
export interface MemberState {
  readonly Member: string;
  readonly Role: string;
  readonly State: string;
  /** The timeline. */
  readonly TL?: number;
}

interface ClusterOptions extends Pick<
  MemberOptions,
  'directory' | 'isSynchronous' | 'prepareFolder'
> {
  /** The ports of the nodes of the chat server and of the bouncer. */
  readonly chatNodes: readonly number[];
  readonly bouncerNodes: readonly number[];
}

/** etcd, three members of PostgreSQL with Patroni, and HAProxy, with the files of docs/self-hosting/cluster. */
export async function startDatabaseCluster(options: ClusterOptions): Promise<DatabaseCluster> {
  const { directory, isSynchronous } = options;
  await using stack = new AsyncDisposableStack();
  const user = await userOfPostgres();
  if (user) await chown(directory, user.uid, user.gid);
  const etcds = await startEtcds(stack, directory);
  const members: Member[] = [];
  for (const number of [1, 2, 3])
    members.push(await startMember(stack, { ...options, number, etcds, user }));
  const [port = 0, chatPort = 0, bouncerPort = 0] = await freePorts(3);
  const file = join(directory, 'haproxy.cfg');
  await writeFile(
    file,
    await guideFile('haproxy.cfg', [
      ['10.0.0.10:5432', `127.0.0.1:${port}`],
      ['10.0.0.10:4600', `127.0.0.1:${chatPort}`],
      ['10.0.0.10:4602', `127.0.0.1:${bouncerPort}`],
      ...members.map(({ links }, at): Filling => [
        `10.0.0.1${at + 1}:5432 port 8008`,
        `127.0.0.1:${links.postgres.port} port ${links.rest.port}`,
      ]),
      ...nodeLines(4600, options.chatNodes),
      ...nodeLines(4602, options.bouncerNodes),
    ]),
  );
  const log = join(directory, 'haproxy.log');
  const haproxy = stack.use(supervise({ command: 'haproxy', args: ['-db', '-f', file], log }));
  const url = (database: string, at: number) =>
    `postgresql://postgres:${encodeURIComponent(PASSWORD)}@127.0.0.1:${at}/${database}`;
  const patronictl = async (...args: readonly string[]) => {
    const env = { ...process.env, LC_ALL: 'C.UTF-8' };
    const command = ['-c', members[0]?.config ?? '', ...args];
    return (await run('patronictl', command, { env, timeout: STATE_WITHIN_MS })).stdout;
  };
  const state = async () =>
    JSON.parse(await patronictl('list', '--format', 'json')) as readonly MemberState[];
  await until(STARTS_WITHIN_MS, 'the database cluster is complete', async () => {
    requireComplete(await state(), isSynchronous);
    await (await openDatabase(url('postgres', port), { maxConnections: 1 })).close();
  });
  const leader = async () => {
    const found = (await state()).find(({ Role }) => Role === 'Leader');
    if (!found) throw new Error('The cluster has no primary');
    return found;
  };
  const parts = stack.move();
  return {
    members,
    etcds,
    haproxy,
    port,
    chatPort,
    bouncerPort,
    url,
    state,
    primary: async () => {
      const { Member: name } = await leader();
      const member = members.find((one) => one.name === name);
      if (!member) throw new Error(`There is no member ${name}`);
      return member;
    },
    timeline: async () => (await leader()).TL ?? 0,
    switchOver: async () => void (await patronictl('switchover', '--force', 'chat')),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

/** Throws unless one member is the primary and the two others follow it, one of them synchronously. */
export function requireComplete(state: readonly MemberState[], isSynchronous: boolean): void {
  const roles = state.map(({ Role }) => Role).toSorted();
  const wanted = ['Leader', 'Replica', isSynchronous ? 'Sync Standby' : 'Replica'];
  const isRunning = state.every(({ State }) => /running|streaming/.test(State));
  const timelines = new Set(state.map(({ TL }) => TL));
  if (roles.join() !== wanted.join() || !isRunning || timelines.size !== 1)
    throw new Error(`The members are ${JSON.stringify(state)}`);
}

/** The guide has three nodes of each program; lines of those that are not there go. */
const nodeLines = (port: number, nodes: readonly number[]): Filling[] =>
  [1, 2, 3].map((number) => {
    const address = `10.0.0.2${number}:${port}`;
    const own = nodes[number - 1];
    return own === undefined
      ? [`  server node${number} ${address}\n`, '']
      : [address, `127.0.0.1:${own}`];
  });

/** The user whom PostgreSQL and PgBouncer run as, which both refuse root; undefined: whoever runs this. */
export async function userOfPostgres(): Promise<User | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const [uid = 0, gid = 0] = await Promise.all(
    ['-u', '-g'].map(async (flag) => Number((await run('id', [flag, 'postgres'])).stdout)),
  );
  return { uid, gid };
}

/** Repeats a check until it does not throw. When the time is over, rejects with its last error as the cause. */
export async function until<T>(ms: number, what: string, check: () => Promise<T>): Promise<T> {
  const end = performance.now() + ms;
  for (;;)
    try {
      return await check();
    } catch (cause) {
      if (performance.now() > end)
        throw new Error(`After ${ms / 1000} s it is not so that ${what}`, { cause });
      await sleep(500);
    }
}
