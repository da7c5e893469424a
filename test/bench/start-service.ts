import { fork } from 'node:child_process';
import { once } from 'node:events';

import { benchFile, type Checkout } from './checkout.ts';

/** A server under load, in a process of its own. `Ready` is what its process sends when it listens. */
export interface Service<Ready> extends AsyncDisposable {
  readonly ready: Ready;
  /** Microseconds of processor time since the process started. */
  readonly processorTime: () => Promise<number>;
}

/**
 * Runs a file of a checkout's benchmarks, which sends one message when it listens and its processor
 * time whenever it is sent a message.
 */
export async function startService<Ready>(
  checkout: Checkout,
  file: string,
  env: Record<string, string>,
): Promise<Service<Ready>> {
  const child = fork(benchFile(checkout, file), {
    env: { ...process.env, NODE_ENV: 'production', ...env },
    execArgv: [],
  });
  const exited = once(child, 'exit');
  const received = async () => {
    const ended = exited.then(() => {
      throw new Error(`${file} ended early`);
    });
    const [message] = await Promise.race([once(child, 'message'), ended]);
    return message as unknown;
  };
  const ready = (await received()) as Ready;
  return {
    ready,
    processorTime: async () => {
      const answer = received();
      child.send('processor time');
      return (await answer) as number;
    },
    [Symbol.asyncDispose]: async () => {
      child.kill();
      await exited;
    },
  };
}
