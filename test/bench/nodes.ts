import { createClient } from '@bellhop/client';

import { thisCheckout } from './checkout.ts';
import { createDatabase } from './database.ts';
import { temporaryPostgres } from './disk.ts';
import { load } from './load.ts';
import type { BenchOptions, Curve, Measure } from './measure.ts';
import { pairedMeasure } from './paired-measure.ts';
import { type PollingReader, startReaderOf } from './readers/polling-reader.ts';
import { postgresTime } from './send/processor-time.ts';
import { postMessage } from './send/sequence.ts';
import type { Person, ServerReady } from './send/serve.ts';
import { SENTENCE } from './send/workload.ts';
import { type Service, startService } from './start-service.ts';

const NODES = [1, 2, 4];
const SENDERS = 16;
const READERS = 3;
const ROUNDS = 5;
const MESSAGES = 4000;
const CORES = 2;

/**
 * The same messages through 1, 2 and 4 nodes with one PostgreSQL, the senders divided among the nodes and
 * three readers who poll different ones. All share the cores of this machine, the load generator too: what
 * the nodes and PostgreSQL would carry without it is what two cores have, divided by what a message costs
 * them. Throws if a reader misses an acknowledged message, has one twice, or in another order than others.
 */
export async function bench({ disk }: BenchOptions): Promise<Measure[]> {
  await using stack = new AsyncDisposableStack();
  const clusters = [];
  for (const count of NODES) clusters.push(await startNodes(stack, { count, disk }));
  const runs = new Map<NodesUnderLoad, NodesRun[]>(clusters.map((cluster) => [cluster, []]));
  // The first round warms up.
  for (let round = 0; round <= ROUNDS; round++)
    for (const cluster of round % 2 === 0 ? clusters : clusters.toReversed())
      runs.get(cluster)?.push(await cluster.run());
  for (const { check } of clusters) check();
  const [[, alone = []] = [], ...others] = runs;
  return others.flatMap(([{ count }, theirs]) => {
    const row = pairedMeasure({
      bench: 'nodes',
      reference_name: '1 node',
      ours: theirs.slice(1),
      theirs: alone.slice(1),
    });
    const curve = (name: string): Curve => ({ name, axis: 'nodes', at: count, referenceAt: 1 });
    return [
      {
        ...row(`${count} nodes: messages on two cores without the load generator`, '1/s', carried),
        curve: curve('without the load generator'),
      },
      {
        ...row(`${count} nodes: messages that 3 readers have`, '1/s', ({ perSecond }) => perSecond),
        curve: curve('with it'),
      },
      row(`${count} nodes: processor time of all nodes`, 'µs', ({ nodesTime }) => nodesTime),
      row(`${count} nodes: processor time of PostgreSQL`, 'µs', (run) => run.databaseTime),
    ];
  });
}

/** Per message, in microseconds. */
interface NodesRun {
  readonly perSecond: number;
  readonly nodesTime: number;
  readonly databaseTime: number;
}
interface NodesUnderLoad {
  readonly count: number;
  readonly run: () => Promise<NodesRun>;
  /** Compares what was acknowledged with what the readers have. */
  readonly check: () => void;
}

const carried = ({ nodesTime, databaseTime }: NodesRun) =>
  (CORES * 1_000_000) / (nodesTime + databaseTime);

async function startNodes(
  stack: AsyncDisposableStack,
  { count, disk }: Pick<BenchOptions, 'disk'> & { readonly count: number },
): Promise<NodesUnderLoad> {
  const postgres = await temporaryPostgres(stack, disk);
  const DATABASE_URL = await createDatabase(postgres.url, 'nodes');
  const names = Array.from({ length: SENDERS + READERS }, (_, n) => `Person ${n}`);
  const nodes: Service<ServerReady>[] = [];
  for (let n = 0; n < count; n++) {
    const own = n === 0 ? { BENCH_PEOPLE: JSON.stringify(names) } : { BENCH_NODE: 'further' };
    const env = { DATABASE_URL, ...own };
    nodes.push(stack.use(await startService(thisCheckout, 'send/serve.ts', env)));
  }
  const people = nodes[0]?.ready.people ?? [];
  const readers = await startReaders(stack, nodes, people);
  const senders = people.slice(0, SENDERS);
  const acknowledged: number[] = [];

  async function send(node: Service<ServerReady>, at: number): Promise<void> {
    const own = senders.filter((_, n) => n % count === at);
    const requests = own.map((sender) =>
      postMessage({
        sender,
        address: { type: 'channel', to: 'bench', topic: 'speed' },
        content: SENTENCE,
      }),
    );
    await load({
      port: portOf(node),
      requests,
      from: 0,
      milliseconds: 0,
      atLeast: MESSAGES / count,
      connections: SENDERS / count,
      onResponse: (_index, body) => acknowledged.push((JSON.parse(body) as { id: number }).id),
    });
  }
  const nodesTime = async () => {
    let time = 0;
    for (const node of nodes) time += await node.processorTime();
    return time;
  };
  const run = async (): Promise<NodesRun> => {
    const sent = acknowledged.length;
    const before = { nodes: await nodesTime(), postgres: postgresTime(postgres.pid) };
    const begun = performance.now();
    await Promise.all(nodes.map(send));
    await Promise.all(readers.map((reader) => reader.received(acknowledged.length)));
    const seconds = (performance.now() - begun) / 1000;
    const messages = acknowledged.length - sent;
    return {
      perSecond: messages / seconds,
      nodesTime: ((await nodesTime()) - before.nodes) / messages,
      databaseTime: (postgresTime(postgres.pid) - before.postgres) / messages,
    };
  };
  return { count, run, check: () => requireSame(acknowledged, readers) };
}

/** People who follow the channel, each at another node if there are so many. */
async function startReaders(
  stack: AsyncDisposableStack,
  nodes: readonly Service<ServerReady>[],
  people: readonly Person[],
): Promise<PollingReader[]> {
  const readers = [];
  for (const [n, person] of people.slice(SENDERS).entries()) {
    const { id, email, api_key: apiKey } = person;
    const node = nodes[n % nodes.length];
    if (!node) throw new Error('There is no node');
    const client = createClient({ url: node.ready.url, email, apiKey });
    await client.subscriptions.add({
      subscriptions: [{ name: 'bench' }],
      principals: [id as never],
    });
    readers.push(stack.use(await startReaderOf(node.ready.url, person)));
  }
  return readers;
}

const portOf = ({ ready }: Service<ServerReady>) => Number(new URL(ready.url).port);

function requireSame(acknowledged: readonly number[], readers: readonly PollingReader[]): void {
  const [first, ...others] = readers.map(({ ids }) => ids);
  const seen = new Set(first);
  if (!first || seen.size !== first.length) throw new Error('A reader has a message twice');
  const missed = acknowledged.filter((id) => !seen.has(id)).length;
  if (missed > 0) throw new Error(`A reader missed ${missed} acknowledged messages`);
  if (others.some((ids) => ids.join() !== first.join()))
    throw new Error('Two readers have the messages in different orders');
}
