import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import type { ResizeRequest, ResizeResponse } from './rendition.ts';

/** A process that decodes images: a decoder that crashes or hangs harms nothing else. */
export interface ImageProcess {
  readonly isAlive: () => boolean;
  /** Undefined if the process ended before it answered. */
  readonly resize: (request: Omit<ResizeRequest, 'id'>) => Promise<ResizeResponse | undefined>;
  readonly kill: () => void;
}

// Built, the program has the extension of this file.
const extension = import.meta.filename.endsWith('.ts') ? 'ts' : 'js';
const program = fileURLToPath(new URL(`./image-process.${extension}`, import.meta.url));

/**
 * The process does not get the secrets of this environment, only the variables that Windows needs.
 */
const environment = (): NodeJS.ProcessEnv => {
  const { SystemRoot } = process.env;
  return SystemRoot === undefined ? {} : { SystemRoot };
};

export function startImageProcess(): ImageProcess {
  const child = fork(program, [], {
    env: environment(),
    execArgv: ['--disable-warning=ExperimentalWarning'],
    // Buffers stay buffers.
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const waiting = new Map<number, (response?: ResizeResponse) => void>();
  let last = 0;
  let isAlive = true;
  const end = () => {
    isAlive = false;
    for (const resolve of waiting.values()) resolve();
    waiting.clear();
  };
  child.on('exit', end);
  child.on('error', end);
  child.on('message', (response: ResizeResponse) => {
    waiting.get(response.id)?.(response);
    waiting.delete(response.id);
  });
  // An idle process does not keep the program running.
  child.unref();
  child.channel?.unref();
  return {
    isAlive: () => isAlive,
    resize(request) {
      const id = ++last;
      return new Promise((resolve) => {
        waiting.set(id, resolve);
        child.send({ id, ...request }, (error) => error && end());
      });
    },
    kill() {
      child.kill('SIGKILL');
      end();
    },
  };
}
