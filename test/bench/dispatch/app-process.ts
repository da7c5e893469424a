import { once } from 'node:events';
import { createInterface } from 'node:readline';

import { benchFile, type Checkout } from '../checkout.ts';
import type { AppUsage } from './child-serve.ts';
import { spawnPinned } from './on-processor.ts';

/** An app that runs in a child process. */
export interface AppProcess extends AsyncDisposable {
  readonly port: number;
  readonly usage: () => Promise<AppUsage>;
}

/** Starts an app, named as in the checkout's list of apps. */
export async function startApp(checkout: Checkout, name: string): Promise<AppProcess> {
  const child = spawnPinned(benchFile(checkout, 'dispatch/child-serve.ts'), [name]);
  const { stdout } = child;
  if (stdout === null) throw new Error('The process has no output');
  const exited = once(child, 'exit');
  const port = await new Promise<number>((resolve, reject) => {
    createInterface({ input: stdout }).once('line', (line) => resolve(Number(line)));
    exited.then(() => reject(new Error(`${name} ended before it listened`)), reject);
  });
  return {
    port,
    async usage() {
      const answer = once(child, 'message');
      child.send('usage');
      const [usage] = await answer;
      return usage as AppUsage;
    },
    async [Symbol.asyncDispose]() {
      child.kill();
      await exited;
    },
  };
}
