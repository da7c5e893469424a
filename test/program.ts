import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export const bin = fileURLToPath(new URL('../packages/cli/bin/bellhop.js', import.meta.url));

/** A `bellhop` command running as a process of its own. */
export interface Program extends AsyncDisposable {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly signal: (name: NodeJS.Signals) => Promise<number | null>;
}

/** Starts the command and waits until it prints a line that matches. */
export async function startProgram(
  args: readonly string[],
  { env, ready }: { env: Record<string, string>; ready: RegExp },
): Promise<Program> {
  const child = spawn(process.execPath, [bin, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
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
