import { setTimeout as sleep } from 'node:timers/promises';

import { expect } from 'vitest';

import { type Program, startProgram } from '../support/program.ts';

const reportMemory = new URL('report-memory.ts', import.meta.url).href;
const READY_WITHIN_MS = 60_000;

/** `bellhop bouncer` as a process, on a database of its own or one that nodes share. */
export interface BouncerNode extends AsyncDisposable {
  /** Changes at each start. */
  readonly url: () => string;
  /** Kills the process and starts another one, at once. */
  readonly killAndStart: () => Promise<void>;
  /** Memory that the process uses after a collection of garbage, in MiB. */
  readonly memory: () => Promise<number>;
}

export async function startBouncerNode(
  env: Readonly<Record<string, string>>,
): Promise<BouncerNode> {
  let program = await start(env);
  return {
    url: () => /"url":"([^"]+)"/.exec(program.output())?.[1] ?? '',
    killAndStart: async () => {
      await program.signal('SIGKILL');
      program = await start(env);
    },
    memory: async () => {
      const reports = () => [...program.output().matchAll(/^memory in use: (\d+)$/gm)];
      const before = reports().length;
      program.child.kill('SIGUSR2');
      await expect.poll(reports).toHaveLength(before + 1);
      return Number(reports().at(-1)?.[1]) / 1_048_576;
    },
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  };
}

/** Starts it until it stays up, as a supervisor does: its PostgreSQL may just have been killed. */
async function start(env: Readonly<Record<string, string>>): Promise<Program> {
  for (const end = performance.now() + READY_WITHIN_MS; ;) {
    try {
      return await startProgram(['bouncer'], {
        env: { ...env, NODE_OPTIONS: `--expose-gc --import=${reportMemory}` },
        ready: /"msg":"listening"/,
      });
    } catch (error) {
      if (performance.now() > end) throw error;
      await sleep(200);
    }
  }
}
