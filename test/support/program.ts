import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

export const bin = fileURLToPath(new URL('../../packages/cli/bin/bellhop.js', import.meta.url));

/** A `bellhop` command running as a process of its own. */
export interface Program extends AsyncDisposable {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly signal: (name: NodeJS.Signals) => Promise<number | null>;
}

interface ProgramOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly ready: RegExp;
  /** The command to run. Default: this checkout's. */
  readonly bin?: string;
  /** Run it as this user and group; only root may. */
  readonly user?: number;
}

/** A shell command that runs its arguments with both outputs on one pipe, which keeps the order of their lines. */
const IN_ORDER = 'exec "$@" 2>&1';

/** No proxy has to notice that a program of the tests ends. */
const atOnce = { BELLHOP_STOP_DELAY: '0', BELLHOP_BOUNCER_STOP_DELAY: '0' };

/** Starts the command and waits until it prints a line that matches. */
export async function startProgram(
  args: readonly string[],
  { env, ready, user, bin: path = bin }: ProgramOptions,
): Promise<Program> {
  const child = spawn('sh', ['-c', IN_ORDER, 'sh', process.execPath, path, ...args], {
    // A database of the tests is not the program's, unless it is given one.
    env: { ...process.env, ...atOnce, DATABASE_URL: '', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(user === undefined ? {} : { uid: user, gid: user }),
  });
  let output = '';
  const exited = once(child, 'exit');
  await new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      output += `${line}\n`;
      if (ready.test(line)) resolve();
    });
    exited.then(
      () => reject(new Error(`The program ended before it was ready:\n${output}`)),
      reject,
    );
  });
  const signal = async (name: NodeJS.Signals) => {
    child.kill(name);
    await exited;
    return child.exitCode;
  };
  return {
    child,
    output: () => output,
    signal,
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode === null && child.signalCode === null) await signal('SIGTERM');
    },
  };
}

/** Runs the command to its end. */
export async function runProgram(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ code: number; output: string }> {
  const child = spawn(process.execPath, [bin, ...args], {
    env: { ...process.env, ...atOnce, DATABASE_URL: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code: Number(code), output: stdout + stderr };
}
