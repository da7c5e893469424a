import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';

import { freePorts } from '@bellhop/http/testing';
import { openDatabase } from '@bellhop/postgres';
import { sealing } from '@bellhop/push-crypto';
import { bouncerEnvironment, type PushSimulator, startSimulator } from '@bellhop/push-simulator';
import { sql } from 'kysely';

import { newOrgKey } from '../support/push-stack.ts';
import {
  type DatabaseCluster,
  requireComplete,
  startDatabaseCluster,
  until,
} from './database-cluster.ts';
import { type Link, startLink } from './link.ts';
import { type Node, startNode } from './nodes.ts';

const run = promisify(execFile);
const OWNER = 'olivia@chat.test';
const BOUNCERS = 2;
const READY_WITHIN_MS = 240_000;
/** More than the log that the guide keeps (`wal_keep_size`, and as much until a checkpoint) and the data of an hour. */
const DISK_BYTES = '4g';

/** The database cluster, and the nodes of both programs behind HAProxy. */
export interface Cluster extends AsyncDisposable {
  readonly database: DatabaseCluster;
  readonly nodes: readonly Node[];
  /** Whether the data of each member has a file system of its own, which can be filled. */
  readonly hasOwnDisks: boolean;
  readonly simulator: PushSimulator;
  /** The key for which phones seal their registrations. */
  readonly bouncerKey: string;
  /** Leads to a node of the chat server. */
  readonly url: string;
  readonly owner: { readonly email: string; readonly apiKey: string };
  /** Waits until every node is ready and one member is the primary of the two others. */
  readonly whole: () => Promise<void>;
}

interface ClusterOptions {
  readonly directory: string;
  /** How many chat servers, 1 to 3. */
  readonly nodes: number;
  readonly isSynchronous: boolean;
}

export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { directory, nodes: count, isSynchronous } = options;
  await using stack = new AsyncDisposableStack();
  const linksTo = (ports: readonly number[]) =>
    Promise.all(ports.map(async (port) => stack.use(await startLink(port))));
  const chatPorts = await freePorts(count);
  const bouncerPorts = await freePorts(BOUNCERS);
  const toChat = await linksTo(chatPorts);
  const toBouncers = await linksTo(bouncerPorts);
  const simulator = await startSimulator();
  stack.defer(() => simulator.stop());
  let hasOwnDisks = true;
  const prepareFolder = async (folder: string) => {
    try {
      await run('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'bellhop-cluster', folder]);
      stack.defer(async () => void (await run('umount', ['--lazy', folder])));
    } catch {
      // Only root may.
      hasOwnDisks = false;
    }
  };
  const database = stack.use(
    await startDatabaseCluster({
      directory,
      isSynchronous,
      chatNodes: toChat.map(({ port }) => port),
      bouncerNodes: toBouncers.map(({ port }) => port),
      prepareFolder,
    }),
  );
  {
    await using db = await openDatabase(database.url('postgres', database.port));
    for (const name of ['chat', 'bouncer'])
      await sql`create database ${sql.id(name)}`.execute(db.kysely);
  }
  const { publicKey: bouncerKey, secretKey } = sealing.generateKeyPair();
  const bouncer = {
    args: ['bouncer'],
    env: (databasePort: number) => ({
      ...bouncerEnvironment(simulator),
      BELLHOP_BOUNCER_DATABASE_URL: database.url('bouncer', databasePort),
      BELLHOP_BOUNCER_KEYS: `${bouncerKey}:${secretKey}`,
      BELLHOP_BOUNCER_SERVERS: 'any',
      BELLHOP_BOUNCER_RATE_LIMIT: '1000000',
      BELLHOP_BOUNCER_BEHIND_PROXY: 'true',
    }),
    portVariable: 'BELLHOP_BOUNCER_PORT',
  };
  const org = { id: randomUUID(), key: newOrgKey() };
  const server = {
    args: ['server', '--owner', OWNER],
    env: (databasePort: number) => ({
      DATABASE_URL: database.url('chat', databasePort),
      BELLHOP_SECRET: 'a secret for the cluster of the tests',
      BELLHOP_EXTERNAL_URL: 'http://chat.test',
      BELLHOP_BEHIND_PROXY: 'true',
      BELLHOP_WEBHOOK_ALLOW: '127.0.0.1/32',
      BELLHOP_RATE_LIMIT_USER: '1000000/60',
      BELLHOP_RATE_LIMIT_IP: '1000000/60',
      BELLHOP_BOUNCER_URL: `http://127.0.0.1:${database.bouncerPort}`,
      BELLHOP_BOUNCER_ORG_ID: org.id,
      BELLHOP_BOUNCER_ORG_KEY: org.key,
    }),
    portVariable: 'BELLHOP_PORT',
  };
  const nodes: Node[] = [];
  const start = async (program: typeof server | typeof bouncer, port: number, inbound: Link) => {
    const env = (databasePort: number) => ({
      ...program.env(databasePort),
      [program.portVariable]: String(port),
    });
    const name = `${program.args[0]} ${port}`;
    const { args } = program;
    const node = { name, args, env, port, inbound, databasePort: database.port };
    nodes.push(stack.use(await startNode(node)));
  };
  for (const [at, link] of toBouncers.entries()) await start(bouncer, bouncerPorts[at] ?? 0, link);
  for (const [at, link] of toChat.entries()) await start(server, chatPorts[at] ?? 0, link);
  const outputs = nodes.map((node) => node.output()).join('');
  const apiKey = /API key (\w{32})/.exec(outputs)?.[1] ?? '';
  const whole = () => untilWhole(database, nodes, isSynchronous);
  await whole();
  const parts = stack.move();
  return {
    database,
    nodes,
    hasOwnDisks,
    simulator,
    bouncerKey,
    url: `http://127.0.0.1:${database.chatPort}`,
    owner: { email: OWNER, apiKey },
    whole,
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

const untilWhole = (database: DatabaseCluster, nodes: readonly Node[], isSynchronous: boolean) =>
  until(READY_WITHIN_MS, 'all is whole again without help', async () => {
    for (const node of nodes)
      if (!(await node.isReady())) throw new Error(`${node.name} is not ready:\n${node.output()}`);
    requireComplete(await database.state(), isSynchronous);
  });
