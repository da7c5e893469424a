import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { seededRandom } from '../bench/send/random.ts';
import { check, type Failover, type Verdict } from './checker.ts';
import { type Fault, faults, lagging } from './faults.ts';
import { History } from './history.ts';
import { startLoad } from './load.ts';
import { startCluster } from './start-cluster.ts';

export interface RunOptions {
  readonly seconds: number;
  /** How many chat servers, 1 to 3. */
  readonly nodes: number;
  /** Chooses the faults. */
  readonly seed: number;
  /** Whether a commit waits for a standby. */
  readonly isSynchronous: boolean;
  /** Keeps the folder with the logs. */
  readonly keep?: boolean;
  readonly log: (line: string) => void;
  /** Ends the faults early. */
  readonly signal?: AbortSignal;
}
export interface RunResult {
  readonly faults: number;
  readonly verdict: Verdict;
  /** Refusals and lost connections that clients saw, with how often. */
  readonly refused: ReadonlyMap<string, number>;
  /** The longest times without a success, and which fault began before they ended. */
  readonly gaps: readonly { readonly ms: number; readonly after: string }[];
}

/** Until the queues of all readers have what was sent last, in milliseconds. */
const READ_MS = 5000;
const PROGRAMS = [
  '/usr/bin/etcd',
  '/usr/bin/patroni',
  '/usr/sbin/haproxy',
  '/usr/lib/postgresql/15/bin/postgres',
];
export const INSTALL =
  'The cluster needs programs of Debian 12: apt-get install --no-install-recommends etcd-server patroni python3-etcd haproxy postgresql-15 libfaketime';

export async function hasPrograms(): Promise<boolean> {
  const found = await Promise.allSettled(PROGRAMS.map((path) => access(path)));
  return found.every(({ status }) => status === 'fulfilled');
}

/**
 * Starts a cluster, harms it at random while clients write, react and read, and compares what they were
 * told with what is there in the end. Rejects if something does not become whole again without help.
 */
export async function runCluster(options: RunOptions): Promise<RunResult> {
  const { seconds, nodes, seed, isSynchronous, keep = false, log, signal } = options;
  await using stack = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'bellhop-cluster-'));
  log(`seed ${seed}, folder ${directory}`);
  stack.defer(async () => {
    if (!keep) await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  });
  const cluster = stack.use(await startCluster({ directory, nodes, isSynchronous }));
  if (!cluster.hasOwnDisks) log('No disk is filled: only root may mount one for each member');
  const history = new History();
  const load = stack.use(await startLoad(cluster, { history, random: numbersOf(seed + 1) }));
  const random = numbersOf(seed);
  const happened: { name: string; at: number }[] = [];
  const losing: Failover[] = [];
  const kinds = isSynchronous ? faults : [...faults, lagging];
  const end = performance.now() + seconds * 1000;
  let waiting: Fault[] = [];
  while (performance.now() < end && !signal?.aborted) {
    await sleep(2000 + random() * 5000);
    // Each fault once, in an order of its own, then all again.
    if (waiting.length === 0) waiting = shuffled(kinds, random);
    const fault = waiting.pop();
    if (!fault) break;
    const timeline = await cluster.database.timeline();
    const at = history.now();
    happened.push({ name: fault.name, at });
    await fault.run(cluster, random);
    await cluster.whole();
    const isFailover = (await cluster.database.timeline()) !== timeline;
    if (isFailover && !isSynchronous) losing.push({ from: at, to: history.now() });
    const took = ((history.now() - at) / 1000).toFixed(1);
    log(
      `${(at / 1000).toFixed(0)} s: ${fault.name}; whole again after ${took} s${isFailover ? ', another primary' : ''}; ${history.acknowledged.size} messages`,
    );
  }
  await load.stopWriting();
  await cluster.whole();
  await sleep(READ_MS);
  const verdict = await check(history, load, losing);
  const gaps = history.gaps
    .toSorted((a, b) => b.ms - a.ms)
    .map(({ ms, endedAt }) => ({
      ms,
      after: happened.findLast(({ at }) => at < endedAt)?.name ?? 'the start',
    }));
  return { faults: happened.length, verdict, refused: history.errors, gaps };
}

/** The last line of a run. */
export const summaryOf = ({ faults: count, verdict, gaps }: RunResult): string =>
  [
    `faults ${count}`,
    `acknowledged ${verdict.acknowledged}`,
    ...verdict.figures,
    `lost ${verdict.lost.length}`,
    ...(verdict.lostByFailover.length > 0
      ? [`lost by failovers ${verdict.lostByFailover.length}`]
      : []),
    `doubled ${verdict.doubled.length}`,
    `out of order ${verdict.disordered.length}`,
    `seen without a right ${verdict.leaked.length}`,
    `longest time without an acknowledgement ${((gaps[0]?.ms ?? 0) / 1000).toFixed(1)} s`,
  ].join(', ');

/** Numbers from 0 to 1. */
function numbersOf(seed: number): () => number {
  const { below } = seededRandom(seed);
  return () => below(2 ** 30) / 2 ** 30;
}

const shuffled = <T>(items: readonly T[], random: () => number): T[] =>
  items
    .map((item) => ({ item, key: random() }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ item }) => item);
