import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { mkdtempDisposable, open, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { freePorts } from '@bellhop/http/testing';
import { Client } from 'pg';

import { createDatabase, runStatement } from '../database.ts';
import { temporaryPostgres } from '../disk.ts';
import { requestBytes } from '../load.ts';
import type { BenchOptions } from '../measure.ts';
import { type MeasuredService, measuredService } from './measured-service.ts';
import { processTime } from './processor-time.ts';
import { SENDERS, SENTENCE, SUBSCRIBERS } from './workload.ts';

const DATABASE = 'ejabberd';
const HOST = 'chat.test';
const SERVICE = `conference.${HOST}`;
const ROOM = `bench@${SERVICE}`;
const COUNT = `select count(*) as number from archive where username = '${ROOM}'`;
const SCHEMA = '/usr/share/ejabberd/sql/pg.sql';
const POOL = 16;
const START_WITHIN_MS = 60_000;
const ARCHIVE_PROGRESS_WITHIN_MS = 30_000;

/**
 * The ejabberd of Debian with the plain workload: a persistent room with three subscribers, to which 16
 * others send through its HTTP API. Prints a line and returns nothing if it is not installed.
 */
export async function startEjabberd(
  stack: AsyncDisposableStack,
  { disk }: BenchOptions,
): Promise<MeasuredService[]> {
  // Not `ejabberdctl`: it refuses everybody but root and its own user, and starts epmd.
  const [installed] = globSync('/usr/lib/*/ejabberd-*/ebin/ejabberd.app');
  const [driver] = globSync('/usr/lib/erlang/lib/p1_pgsql-*');
  const [, libraries = '', version = ''] = /^(.*)\/ejabberd-([^/-]*)/.exec(installed ?? '') ?? [];
  if (!installed || !driver) {
    console.log(
      'ejabberd is not installed (the packages ejabberd and erlang-p1-pgsql of Debian): not compared',
    );
    return [];
  }
  const [postgresPort = 0] = await freePorts(1);
  const postgres = await temporaryPostgres(stack, disk, postgresPort);
  const database = await createDatabase(postgres.url, DATABASE);
  await runStatement(database, await readFile(SCHEMA, 'utf8'));
  await runStatement(database, `create role ${DATABASE} login superuser password '${DATABASE}'`);
  const { pid, url } = await startNode(stack, libraries, postgresPort);
  await fillRoom(url);
  const archive = new Client(database);
  await archive.connect();
  stack.defer(() => archive.end());
  return [
    measuredService({
      name: `ejabberd ${version}`,
      service: { ready: { url }, processorTime: async () => processTime(pid) },
      connections: SENDERS,
      postmaster: postgres.pid,
      arrivals: new Map(),
      sequence: {
        requests: Array.from({ length: SENDERS }, (_, n) =>
          requestBytes({
            path: '/api/send_message',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({
              type: 'groupchat',
              from: sender(n),
              to: ROOM,
              subject: '',
              body: SENTENCE,
            }),
          }),
        ),
        mentionsBot: () => false,
      },
      untilStored: (messages) => untilArchived(archive, messages),
    }),
  ];
}

const sender = (n: number) => `sender${n}@${HOST}`;

/** Starts it in a directory that is removed with it, on loopback, without Erlang's distribution. */
async function startNode(
  stack: AsyncDisposableStack,
  libraries: string,
  postgresPort: number,
): Promise<{ pid: number; url: string }> {
  const { path } = stack.use(await mkdtempDisposable(join(tmpdir(), 'bellhop-bench-')));
  const [port = 0] = await freePorts(1);
  const config = join(path, 'ejabberd.yml');
  // YAML contains JSON.
  await writeFile(
    config,
    JSON.stringify({
      hosts: [HOST],
      loglevel: 'error',
      acme: { auto: false },
      listen: [
        {
          ip: '127.0.0.1',
          port,
          module: 'ejabberd_http',
          request_handlers: { '/api': 'mod_http_api' },
        },
      ],
      api_permissions: { loopback: { who: [{ ip: '127.0.0.0/8' }], what: ['*'] } },
      default_db: 'sql',
      auth_method: 'sql',
      sql_type: 'pgsql',
      sql_server: '127.0.0.1',
      sql_port: postgresPort,
      sql_database: DATABASE,
      sql_username: DATABASE,
      sql_password: DATABASE,
      sql_pool_size: POOL,
      modules: {
        mod_admin_extra: {},
        mod_http_api: {},
        // One row for each message: its subscribers read the archive of the room.
        mod_mam: { default: 'always', user_mucsub_from_muc_archive: true },
        mod_muc: {
          default_room_options: { persistent: true, mam: true, allow_subscription: true },
        },
        mod_muc_admin: {},
      },
    }),
  );
  await using output = await open(join(path, 'output'), 'a+');
  const ends = 'spawn(fun() -> io:get_line(""), halt() end).';
  const mnesia = ['-mnesia', 'dir', JSON.stringify(join(path, 'mnesia'))];
  const child = spawn('erl', ['-noshell', ...mnesia, '-s', 'ejabberd', '-eval', ends], {
    cwd: path,
    // Ctrl-C in a terminal does not reach it: it ends when its input does, with the benchmark.
    detached: true,
    stdio: ['pipe', output.fd, output.fd],
    env: {
      PATH: process.env['PATH'],
      HOME: path,
      ERL_LIBS: libraries,
      ERL_CRASH_DUMP: join(path, 'crash.dump'),
      EJABBERD_CONFIG_PATH: config,
      EJABBERD_LOG_PATH: join(path, 'ejabberd.log'),
    },
  });
  const exited = once(child, 'exit');
  stack.defer(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  const url = `http://127.0.0.1:${port}`;
  const deadline = performance.now() + START_WITHIN_MS;
  while (!(await fetch(`${url}/api/status`).catch(() => undefined))?.ok) {
    if (child.exitCode !== null || performance.now() > deadline)
      throw new Error(`ejabberd did not start:\n${await readFile(join(path, 'output'), 'utf8')}`);
    await sleep(50);
  }
  return { pid: child.pid ?? 0, url };
}

async function fillRoom(url: string): Promise<void> {
  const command = async (name: string, args: object) => {
    const response = await fetch(`${url}/api/${name}`, {
      method: 'POST',
      body: JSON.stringify(args),
    });
    const text = await response.text();
    if (!response.ok || text === '1') throw new Error(`ejabberd refused ${name}: ${text}`);
  };
  const subscribe = (user: string, event: string) =>
    command('subscribe_room', {
      user,
      nick: user.slice(0, user.indexOf('@')),
      room: ROOM,
      nodes: `urn:xmpp:mucsub:nodes:${event}`,
    });
  await command('create_room', { name: 'bench', service: SERVICE, host: HOST });
  for (let n = 0; n < SUBSCRIBERS; n++) {
    await command('register', { user: `reader${n}`, host: HOST, password: 'bench' });
    await subscribe(`reader${n}@${HOST}`, 'messages');
  }
  // Only who is in the room may write there; of these nobody receives the messages.
  for (let n = 0; n < SENDERS; n++) await subscribe(sender(n), 'subject');
}

/** It answers before it has stored: waits until the archive of the room has all messages. */
async function untilArchived(archive: Client, messages: number): Promise<void> {
  const number = async (query: string) => Number((await archive.query(query)).rows[0].number);
  let inserted = 0;
  let progress = performance.now();
  // Counting takes PostgreSQL's time, which is measured, so it begins when as many rows are inserted.
  for (;;) {
    const last = await number('select last_value as number from archive_id_seq');
    if (last > inserted) progress = performance.now();
    inserted = last;
    const archived = inserted < messages ? inserted : await number(COUNT);
    if (archived >= messages) return;
    if (performance.now() > progress + ARCHIVE_PROGRESS_WITHIN_MS)
      throw new Error(`ejabberd has archived ${archived} of ${messages} messages, and no more`);
    await sleep(20);
  }
}
