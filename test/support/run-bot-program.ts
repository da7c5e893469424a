import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'vitest';

import { root } from './source-files.ts';

/**
 * Runs the program of a bot in a directory of its own with its `.env`, and waits until it listens.
 * `problems` returns what it wrote to standard error.
 */
export async function runBotProgram(program: string, environment: string) {
  const directory = await mkdtemp(join(tmpdir(), 'bellhop-program-'));
  await symlink(join(root, 'node_modules'), join(directory, 'node_modules'), 'dir');
  await writeFile(join(directory, 'package.json'), '{"type":"module"}');
  await writeFile(join(directory, 'bot.ts'), program);
  await writeFile(join(directory, '.env'), environment);
  const child = spawn(process.execPath, ['--env-file=.env', 'bot.ts'], { cwd: directory });
  const output = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output.err += chunk.toString()));
  await expect.poll(() => output.out + output.err, { timeout: 30_000 }).toContain('listens on');
  return {
    problems: () => output.err,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await once(child, 'exit');
      await rm(directory, { recursive: true, force: true });
    },
  };
}
