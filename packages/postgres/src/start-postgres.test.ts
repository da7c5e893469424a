import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';

import { processFacts } from '@bellhop/directory-lock';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { startPostgres } from './start-postgres.ts';

const cleanUp: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const step of cleanUp.splice(0).toReversed()) await step();
});

/** A new directory that only its owner can enter. */
async function temporaryDirectory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'bellhop-pg-'));
  cleanUp.push(() => rm(path, { recursive: true, force: true }));
  return path;
}

let template: string;
beforeAll(async () => {
  template = await mkdtemp(join(tmpdir(), 'bellhop-pg-template-'));
  await (await startPostgres({ dataDir: template, fsync: false })).stop();
});
afterAll(() => rm(template, { recursive: true, force: true }));

/** A data directory of an earlier start, as a copy: initdb takes ten times as long. */
async function usedDirectory(dataDir?: string): Promise<string> {
  const path = dataDir ?? join(await temporaryDirectory(), 'data');
  await mkdir(path, { recursive: true });
  // Keeps owner and modes. In Node, copying a thousand files takes as long as initdb.
  execFileSync('cp', ['-Rp', join(template, 'cluster'), path]);
  return path;
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new Client(url);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** Another program that starts PostgreSQL and prints the process number of the server. */
async function startInChild(dataDir: string): Promise<{ child: ChildProcess; pid: number }> {
  const module = JSON.stringify(new URL('start-postgres.ts', import.meta.url).href);
  const code = `
    const { startPostgres } = await import(${module});
    const { pid } = await startPostgres({ dataDir: ${JSON.stringify(dataDir)}, fsync: false });
    console.log(pid);
    process.stdin.on('data', () => process.exit(0));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  cleanUp.push(async () => child.kill('SIGKILL'));
  const [line] = await once(child.stdout, 'data');
  return { child, pid: Number(String(line)) };
}

test('startPostgres keeps data over a restart', async () => {
  const dataDir = join(await temporaryDirectory(), 'a', 'data');
  const first = await startPostgres({ dataDir });
  await query(first.url, 'create table kept (id int); insert into kept values (7)');
  expect(await query(first.url, 'show fsync')).toEqual([{ fsync: 'on' }]);
  await first.stop();
  expect(await processFacts(first.pid)).toBeUndefined();
  await using second = await startPostgres({ dataDir });
  expect(await query(second.url, 'select id from kept')).toEqual([{ id: 7 }]);
  const settings = `select current_setting('data_checksums') as checksums,
    current_setting('server_encoding') as encoding, lower('ÄÖ') as lower,
    current_setting('listen_addresses') as listens`;
  expect(await query(second.url, settings)).toEqual([
    { checksums: 'on', encoding: 'UTF8', lower: 'äö', listens: '' },
  ]);
});

test('only the owner can enter the directory of the socket', async () => {
  const open = await temporaryDirectory();
  await chmod(open, 0o755);
  const dataDir = await usedDirectory(join(open, 'data'));
  await using server = await startPostgres({ dataDir, fsync: false });
  const host = new URL(server.url).searchParams.get('host') ?? '';
  expect((await stat(host)).mode & 0o777).toBe(0o700);
  expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('a server with a port listens on it as well, for who has a password', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  await once(other.close(), 'close');
  await using server = await startPostgres({ dataDir: await usedDirectory(), fsync: false, port });
  expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  const login = (password: string) => `postgresql://bellhop:${password}@127.0.0.1:${port}/bellhop`;
  await expect(query(login('guessed'), 'select 1 as one')).rejects.toThrow('authentication failed');
  await query(server.url, `alter role current_user password 'secret'`);
  expect(await query(login('secret'), 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('the socket works for a data directory with a long path', async () => {
  const directory = join(await temporaryDirectory(), 'long'.repeat(20), 'longer'.repeat(10));
  const dataDir = await usedDirectory(directory);
  const server = await startPostgres({ dataDir, fsync: false });
  const host = new URL(server.url).searchParams.get('host') ?? '';
  expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await server.stop();
  await expect(stat(host)).rejects.toThrow('ENOENT');
});

test('a second start on the same directory rejects with the process that uses it', async () => {
  const dataDir = await usedDirectory();
  await using server = await startPostgres({ dataDir, fsync: false });
  await expect(startPostgres({ dataDir })).rejects.toThrow(
    new RegExp(`^The directory .* is in use by process ${process.pid}: stop that program`),
  );
  expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('startPostgres stops the server of a killed program and keeps its data', async () => {
  const dataDir = await usedDirectory();
  const { child, pid } = await startInChild(dataDir);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await processFacts(pid)).toMatchObject({ name: 'postgres' });
  await using server = await startPostgres({ dataDir, fsync: false });
  expect(await processFacts(pid)).toBeUndefined();
  expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('the server stops with a program that exits without `stop`', async () => {
  const { child, pid } = await startInChild(await usedDirectory());
  child.stdin?.write('exit');
  await once(child, 'exit');
  await vi.waitFor(async () => expect(await processFacts(pid)).toBeUndefined(), 15_000);
});

test('startPostgres ignores another process with the number of the old server', async () => {
  const dataDir = await usedDirectory();
  const stranger = spawn('sleep', ['60']);
  cleanUp.push(async () => stranger.kill());
  const left = `${stranger.pid}\n${dataDir}\n1\n5432\n\n\n\nready\n`;
  await writeFile(join(dataDir, 'cluster', 'postmaster.pid'), left);
  await writeFile(
    join(dataDir, 'owner.lock'),
    JSON.stringify({ pid: stranger.pid, host: hostname(), startedAt: '1' }),
  );
  await using server = await startPostgres({ dataDir, fsync: false });
  expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  expect(stranger.exitCode).toBeNull();
});

test('startPostgres creates the cluster again after an interrupted initdb', async () => {
  const dataDir = join(await temporaryDirectory(), 'data');
  await mkdir(join(dataDir, 'cluster.unfinished', 'base'), { recursive: true });
  await writeFile(join(dataDir, 'cluster.unfinished', 'PG_VERSION'), '18\n');
  await using server = await startPostgres({ dataDir, fsync: false });
  expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  expect(await readdir(dataDir)).not.toContain('cluster.unfinished');
});

test('startPostgres rejects data of another version and does not change it', async () => {
  const dataDir = join(await temporaryDirectory(), 'data');
  await mkdir(join(dataDir, 'cluster'), { recursive: true });
  await writeFile(join(dataDir, 'cluster', 'PG_VERSION'), '16\n');
  await expect(startPostgres({ dataDir })).rejects.toThrow('is of PostgreSQL 16, this program');
});

test('the error of a failed start contains the end of the log', async () => {
  const dataDir = await usedDirectory();
  await rm(join(dataDir, 'cluster', 'global', 'pg_control'));
  await expect(startPostgres({ dataDir })).rejects.toThrow(/did not start[^]*pg_control/);
  await expect(startPostgres({ dataDir })).rejects.toThrow('did not start');
});

test('a PostgreSQL that is killed starts again at the same URL, with its data', async () => {
  const dataDir = await usedDirectory();
  const lines: string[] = [];
  await using server = await startPostgres({ dataDir, log: (line) => lines.push(line) });
  await query(server.url, 'create table kept (id int); insert into kept values (7)');
  const { pid, url } = server;
  process.kill(pid, 'SIGKILL');
  const rows = await vi.waitFor(() => query(url, 'select id from kept'), { timeout: 15_000 });
  expect(rows).toEqual([{ id: 7 }]);
  await expect.poll(() => server.pid).not.toBe(pid);
  expect(lines).toContain(`PostgreSQL (process ${pid}) ended unexpectedly: starting it again`);
});

/** Freezes the process behind a new connection: it does not notice that its PostgreSQL has ended. */
async function freezeBackend(url: string): Promise<number> {
  const client = new Client(url);
  client.on('error', () => {});
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const pid = rows[0]?.pid ?? 0;
  process.kill(pid, 'SIGSTOP');
  cleanUp.push(async () => {
    client.connection.stream.destroy();
    if (await processFacts(pid)) process.kill(pid, 'SIGKILL');
  });
  return pid;
}

// Such a process holds the shared memory of the cluster, and no other PostgreSQL starts. One that
// waits for a lock in that memory stays, too, if the holder of the lock was killed.
test('a PostgreSQL that is killed starts again although a process of it is left', async () => {
  const dataDir = await usedDirectory();
  await using server = await startPostgres({ dataDir, fsync: false });
  const { pid, url } = server;
  const left = await freezeBackend(url);
  process.kill(pid, 'SIGKILL');
  const answer = () => query(url, 'select 1 as one');
  expect(await vi.waitFor(answer, { timeout: 15_000 })).toEqual([{ one: 1 }]);
  expect(await processFacts(left)).toBeUndefined();
});

test('startPostgres ends the processes that a killed program and its killed PostgreSQL left', async () => {
  const dataDir = await usedDirectory();
  const { child, pid } = await startInChild(dataDir);
  const socket = join(await realpath(dataDir), 'socket');
  const left = await freezeBackend(`postgresql://bellhop@localhost/bellhop?host=${socket}`);
  child.kill('SIGKILL');
  process.kill(pid, 'SIGKILL');
  await once(child, 'exit');
  await using server = await startPostgres({ dataDir, fsync: false });
  expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  expect(await processFacts(left)).toBeUndefined();
});

test('onGone is called once if a killed PostgreSQL cannot start again', async () => {
  const dataDir = await usedDirectory();
  const gone: Error[] = [];
  await using server = await startPostgres({
    dataDir,
    fsync: false,
    onGone: (error) => gone.push(error),
  });
  await rm(join(dataDir, 'cluster', 'global', 'pg_control'));
  process.kill(server.pid, 'SIGKILL');
  await expect.poll(() => gone).toHaveLength(1);
  expect(gone[0]?.message).toBe('The embedded PostgreSQL does not stay up');
  expect(String(gone[0]?.cause)).toContain('PostgreSQL did not start');
});

test('stop during a restart leaves no PostgreSQL behind', async () => {
  const dataDir = await usedDirectory();
  const server = await startPostgres({ dataDir, fsync: false });
  const { pid } = server;
  process.kill(pid, 'SIGKILL');
  await vi.waitFor(async () => expect(await processFacts(pid)).toBeUndefined(), 15_000);
  await server.stop();
  expect(await processFacts(server.pid)).toBeUndefined();
  expect(await readdir(dataDir)).not.toContain('owner.lock');
});

test('something else in the place of the cluster is refused, and nothing is made', async () => {
  const dataDir = await temporaryDirectory();
  await mkdir(join(dataDir, 'cluster'));
  await writeFile(join(dataDir, 'cluster', 'x'), 'hi');
  await expect(startPostgres({ dataDir, fsync: false })).rejects.toThrow(
    /cluster is no directory of PostgreSQL, it has no file PG_VERSION/,
  );
  expect(await readdir(join(dataDir, 'cluster'))).toEqual(['x']);
  expect(await readdir(dataDir)).not.toContain('cluster.unfinished');
});
