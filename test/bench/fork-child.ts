import { fork } from 'node:child_process';
import { once } from 'node:events';

/** A program of the benchmarks in a process of its own, which answers each message with one. */
export interface ForkedChild<Ready> extends AsyncDisposable {
  /** Its first message, which it sends when it is ready. */
  readonly ready: Ready;
  readonly ask: (message: object | string) => Promise<unknown>;
}

/** Rejects if the program ends before it has sent a message. */
export async function forkChild<Ready>(
  path: string,
  { args = [], env = {} }: { args?: readonly string[]; env?: Record<string, string> },
): Promise<ForkedChild<Ready>> {
  const child = fork(path, args, {
    env: { ...process.env, NODE_ENV: 'production', ...env },
    execArgv: [],
  });
  const exited = once(child, 'exit');
  const received = async () => {
    const ended = exited.then(() => {
      throw new Error(`${path} ended early`);
    });
    const [message] = await Promise.race([once(child, 'message'), ended]);
    return message as unknown;
  };
  const ready = (await received()) as Ready;
  return {
    ready,
    ask: async (message) => {
      const answer = received();
      child.send(message);
      return await answer;
    },
    [Symbol.asyncDispose]: async () => {
      child.kill();
      await exited;
    },
  };
}
