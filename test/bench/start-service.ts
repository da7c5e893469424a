import { benchFile, type Checkout } from './checkout.ts';
import { forkChild } from './fork-child.ts';

/** A server under load, in a process of its own. `Ready` is what its process sends when it listens. */
export interface Service<Ready> extends AsyncDisposable {
  readonly ready: Ready;
  /** Microseconds of processor time since the process started. */
  readonly processorTime: () => Promise<number>;
  /** Megabytes of heap and buffers after a garbage collection. */
  readonly memoryInUse: () => Promise<number>;
}

/**
 * Runs a file of a checkout's benchmarks, which sends one message when it listens and its processor
 * time whenever it is sent a message. The bouncer's also answers `memory in use`.
 */
export async function startService<Ready>(
  checkout: Checkout,
  file: string,
  env: Record<string, string>,
): Promise<Service<Ready>> {
  const child = await forkChild<Ready>(benchFile(checkout, file), { env });
  return {
    ready: child.ready,
    processorTime: async () => (await child.ask('processor time')) as number,
    memoryInUse: async () => (await child.ask('memory in use')) as number,
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
}
