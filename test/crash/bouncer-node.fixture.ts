import { expect } from 'vitest';

import { type Program, startProgram } from '../support/program.ts';

const reportMemory = new URL('report-memory.ts', import.meta.url).href;

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

/** Its PostgreSQL may just have been killed: the start waits for it. */
const start = (env: Readonly<Record<string, string>>): Promise<Program> =>
  startProgram(['bouncer'], {
    env: { ...env, NODE_OPTIONS: `--expose-gc --import=${reportMemory}` },
    ready: /"msg":"listening"/,
  });
