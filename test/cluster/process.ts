import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';

export interface ProcessOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** The file that its output is appended to. */
  readonly log: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly user?: { readonly uid: number; readonly gid: number } | undefined;
}

/** A program that is started again, as a supervisor does, whenever it ends before it is stopped. */
export interface Supervised extends AsyncDisposable {
  readonly pid: () => number;
  readonly signal: (name: NodeJS.Signals) => void;
  /** From now on it is not started again. */
  readonly release: () => void;
}

const RESTART_MS = 2000;
const STOP_MS = 20_000;

export function supervise(options: ProcessOptions): Supervised {
  let isReleased = false;
  let timer: NodeJS.Timeout | undefined;
  const begin = (): ChildProcess => {
    const { command, args, env, user, log } = options;
    const file = openSync(log, 'a');
    const child = spawn(command, args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', file, file],
      ...user,
    });
    child.once('error', (error) => console.error(`${command}: ${error.message}`));
    child.once('exit', () => {
      if (!isReleased) timer = setTimeout(() => (current = begin()), RESTART_MS);
    });
    return child;
  };
  let current = begin();
  const signal = (name: NodeJS.Signals) => void current.kill(name);
  return {
    pid: () => current.pid ?? 0,
    signal,
    release: () => (isReleased = true),
    [Symbol.asyncDispose]: async () => {
      isReleased = true;
      clearTimeout(timer);
      if (current.exitCode !== null || current.signalCode !== null) return;
      const exited = once(current, 'exit');
      signal('SIGCONT');
      signal('SIGTERM');
      const late = setTimeout(() => signal('SIGKILL'), STOP_MS);
      await exited;
      clearTimeout(late);
    },
  };
}
