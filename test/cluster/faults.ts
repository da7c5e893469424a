import { execFile } from 'node:child_process';
import { rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

import { until } from './database-cluster.ts';
import { type Link, linkFaults } from './link.ts';
import type { Member } from './member.ts';
import type { Cluster } from './start-cluster.ts';

const run = promisify(execFile);
const FULL_WITHIN_MS = 10_000;
/** Bytes that are taken at a time, and that are too few for a file of PostgreSQL's log. */
const PIECE = 64 * 1024 * 1024;
const NEARLY_NOTHING = 1024 * 1024;

type Random = () => number;

/** How long a primary goes on alone. */
const ALONE_MS = 1500;
/** More than the time limits of docs/self-hosting/cluster/patroni.yml, after which a standby is promoted. */
const PROMOTED_MS = 30_000;

export interface Fault {
  readonly name: string;
  /** Harms the cluster, waits, and ends the harm; what repairs itself repairs itself. */
  readonly run: (cluster: Cluster, random: Random) => Promise<void>;
}

const pick = <T>(items: readonly T[], random: Random): T => {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('There is nothing to choose from');
  return item;
};
/** Shorter and longer than what the cluster waits for. */
const someTime = (random: Random) => sleep(3000 + random() * 27_000);

async function freeze(member: Member, random: Random): Promise<void> {
  await member.signalAll('SIGSTOP');
  await someTime(random);
  await member.signalAll('SIGCONT');
}

async function failLinks(
  links: readonly Link[],
  random: Random,
  from?: readonly string[],
): Promise<void> {
  const fault = pick(linkFaults, random);
  for (const link of links) link.fail(fault, from);
  await someTime(random);
  for (const link of links) link.mend();
}

const linksOf = ({ links }: Member) => [links.postgres, links.rest, ...links.etcds];

const standby = async ({ database }: Cluster, random: Random) => {
  const primary = await database.primary();
  return pick(
    database.members.filter((member) => member !== primary),
    random,
  );
};

export const faults: readonly Fault[] = [
  {
    name: 'the primary is killed',
    run: async ({ database }) => (await database.primary()).killPostgres(),
  },
  {
    name: 'the primary is frozen',
    run: async ({ database }, random) => freeze(await database.primary(), random),
  },
  {
    name: 'a switchover',
    run: ({ database }) => database.switchOver(),
  },
  {
    name: 'the Patroni of the primary is killed',
    run: async ({ database }) => (await database.primary()).patroni.signal('SIGKILL'),
  },
  {
    name: 'the primary is killed with its Patroni',
    run: async ({ database }) => {
      const primary = await database.primary();
      primary.patroni.signal('SIGKILL');
      await primary.killPostgres();
    },
  },
  {
    name: 'a standby is killed',
    run: async (cluster, random) => (await standby(cluster, random)).killPostgres(),
  },
  {
    name: 'a standby is frozen',
    run: async (cluster, random) => freeze(await standby(cluster, random), random),
  },
  {
    name: 'the network of the primary fails',
    run: async ({ database }, random) => failLinks(linksOf(await database.primary()), random),
  },
  {
    name: 'the network of a standby fails',
    run: async (cluster, random) => failLinks(linksOf(await standby(cluster, random)), random),
  },
  {
    name: 'the network between the primary and one standby fails',
    run: async (cluster, random) => {
      const { links } = await cluster.database.primary();
      await failLinks([links.postgres], random, [(await standby(cluster, random)).name]);
    },
  },
  {
    name: 'the network between a member and one etcd fails',
    run: async ({ database }, random) =>
      failLinks([pick(pick(database.members, random).links.etcds, random)], random),
  },
  {
    name: 'the network between a node and the database fails',
    run: async ({ nodes }, random) => failLinks([pick(nodes, random).outbound], random),
  },
  {
    name: 'the network between the balancer and a node fails',
    run: async ({ nodes }, random) => failLinks([pick(nodes, random).inbound], random),
  },
  {
    name: 'an etcd is killed',
    run: async ({ database }, random) => pick(database.etcds, random).process.signal('SIGKILL'),
  },
  {
    name: 'the balancer is killed',
    run: async ({ database }) => database.haproxy.signal('SIGKILL'),
  },
  {
    name: 'a node is killed',
    run: async ({ nodes }, random) => pick(nodes, random).restart('SIGKILL'),
  },
  {
    name: 'a node is frozen',
    run: async ({ nodes }, random) => {
      const node = pick(nodes, random);
      node.signal('SIGSTOP');
      await someTime(random);
      node.signal('SIGCONT');
    },
  },
  {
    name: 'the nodes are restarted one after the other',
    run: async ({ nodes }) => {
      for (const node of nodes) {
        await node.restart('SIGTERM');
        while (!(await node.isReady())) await sleep(500);
      }
    },
  },
  {
    name: 'the clock of a node is wrong',
    run: async ({ nodes }, random) => {
      const node = pick(nodes, random);
      await node.restart('SIGTERM', random() < 0.5 ? -300 : 300);
      await someTime(random);
      await node.restart('SIGTERM');
    },
  },
  {
    name: 'the disk of the primary is full',
    run: async ({ database, hasOwnDisks }) => {
      if (!hasOwnDisks) return;
      const { dataDir } = await database.primary();
      const file = join(dataDir, '..', 'filler');
      let size = 0;
      // In pieces, each tried again: PostgreSQL takes some of what is free meanwhile.
      await until(FULL_WITHIN_MS, 'its disk is full', async () => {
        for (;;) {
          const { bavail, bsize } = await statfs(dataDir);
          const length = Math.min(bavail * bsize, PIECE);
          if (length < NEARLY_NOTHING) return;
          await run('fallocate', ['--offset', String(size), '--length', String(length), file]);
          size += length;
        }
      });
      await sleep(10_000);
      await rm(file, { force: true });
    },
  },
];

/**
 * For asynchronous replication: the standbys get nothing more, and soon after the primary ends. One of them
 * is promoted without what the primary acknowledged alone.
 */
export const lagging: Fault = {
  name: 'the primary is frozen while its standbys lag',
  run: async ({ database }) => {
    const primary = await database.primary();
    const others = database.members.filter((member) => member !== primary);
    primary.links.postgres.fail(
      'black hole',
      others.map(({ name }) => name),
    );
    await sleep(ALONE_MS);
    await primary.signalAll('SIGSTOP');
    await sleep(PROMOTED_MS);
    primary.links.postgres.mend();
    await primary.signalAll('SIGCONT');
  },
};
