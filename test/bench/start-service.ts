import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A server under load, in a process of its own. */
export interface Service extends AsyncDisposable {
  readonly url: string;
  readonly authorization: string;
}

/** Runs a file of this folder, which prints its address as one line of JSON and serves until killed. */
export async function startService(file: string, env: Record<string, string>): Promise<Service> {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child = spawn(process.execPath, [path], {
    env: { ...process.env, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve);
    exited.then(() => reject(new Error(`${file} ended before it listened`)), reject);
  });
  const { url, authorization } = JSON.parse(line) as { url: string; authorization: string };
  return {
    url,
    authorization,
    [Symbol.asyncDispose]: async () => {
      child.kill();
      await exited;
    },
  };
}
