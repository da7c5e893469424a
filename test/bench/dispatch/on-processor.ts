import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

const canPin =
  availableParallelism() > 1 && spawnSync('taskset', ['--version']).error === undefined;

/** The placement of processes, printed beside the numbers. */
export const placement = canPin
  ? 'each app on processor 0, the load on processor 1'
  : 'not pinned to processors: taskset or a second processor is missing';

/** Runs a JavaScript program, pinned to processor 0 if possible. */
export function spawnPinned(path: string, args: readonly string[], flags: readonly string[] = []) {
  const command = [process.execPath, ...flags, path, ...args];
  const [program = '', ...rest] = canPin ? ['taskset', '--cpu-list', '0', ...command] : command;
  const env = { ...process.env, NODE_ENV: 'production' };
  return spawn(program, rest, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'], env });
}

/** Moves this process to processor 1 until disposed. */
export function loadOnOtherProcessor(): Disposable {
  const move = (processors: string) =>
    canPin &&
    spawnSync('taskset', ['--all-tasks', '--pid', '--cpu-list', processors, `${process.pid}`]);
  move('1');
  return { [Symbol.dispose]: () => void move(`0-${availableParallelism() - 1}`) };
}

/** The standard output of a child process. Rejects if the child fails. */
export async function outputOf(child: ChildProcess): Promise<string> {
  let text = '';
  child.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`A child process exited with ${String(code)}`);
  return text;
}
