import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

const canPin =
  availableParallelism() > 1 && spawnSync('taskset', ['--version']).error === undefined;

/** How processes were placed, to be said beside the numbers. */
export const placement = canPin
  ? 'each app on processor 0, the load on processor 1'
  : 'not pinned to processors: taskset or a second processor is missing';

/** Runs a JavaScript program, on processor 0 where processes can be pinned. */
export function spawnPinned(path: string, args: readonly string[], flags: readonly string[] = []) {
  const command = [process.execPath, ...flags, path, ...args];
  const [program = '', ...rest] = canPin ? ['taskset', '--cpu-list', '0', ...command] : command;
  const env = { ...process.env, NODE_ENV: 'production' };
  return spawn(program, rest, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'], env });
}

/** Moves this process to processor 1, and back at the end. */
export function loadOnOtherProcessor(): Disposable {
  const move = (processors: string) =>
    canPin &&
    spawnSync('taskset', ['--all-tasks', '--pid', '--cpu-list', processors, `${process.pid}`]);
  move('1');
  return { [Symbol.dispose]: () => void move(`0-${availableParallelism() - 1}`) };
}

/** What a child prints until it ends; throws when it fails. */
export async function outputOf(child: ChildProcess): Promise<string> {
  let text = '';
  child.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`A measuring process ended with ${String(code)}`);
  return text;
}
