import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { startLittleRedis } from './little-redis.fixture.ts';

/**
 * A Redis for one test file: the server at REDIS_URL, else one started with the program REDIS_SERVER
 * or `redis-server`, else the stand-in.
 */
export async function redisForTests() {
  const url = process.env['REDIS_URL'];
  if (url) return { url, kind: 'REDIS_URL', stop: async () => {} };
  const started = await startInstalled();
  if (started !== undefined) return { ...started, kind: 'redis-server' };
  return { ...(await startLittleRedis()), kind: 'stand-in' };
}

/** Starts Redis on a Unix socket; undefined if the program is not installed. */
async function startInstalled() {
  const directory = await mkdtemp(join(tmpdir(), 'bellhop-redis-'));
  const socket = join(directory, 'redis.sock');
  const options = ['--port', '0', '--unixsocket', socket, '--save', '', '--dir', directory];
  const program = process.env['REDIS_SERVER'] ?? 'redis-server';
  const child = spawn(program, options, { stdio: ['ignore', 'pipe', 'ignore'] });
  const lines = createInterface(child.stdout);
  const ended = once(child, 'exit').catch(() => {});
  const ready = new Promise<boolean>((resolve) => {
    lines.on('line', (line) => /ready to accept/i.test(line) && resolve(true));
    void ended.then(() => resolve(false));
  });
  if (await ready) {
    const stop = async () => {
      child.kill();
      await ended;
      await rm(directory, { recursive: true, force: true });
    };
    return { url: socket, stop };
  }
  await rm(directory, { recursive: true, force: true });
  return undefined;
}
