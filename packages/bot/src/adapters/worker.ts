import type { AnyBot } from '../internals.ts';
import type { WebhookOptions } from '../receiver.ts';
import { fetchReceiver } from './fetch-handler.ts';

/** Keeps a worker alive after its answer. */
export interface Execution {
  readonly waitUntil: (work: Promise<unknown>) => void;
}

export interface Worker {
  fetch(request: Request, environment?: unknown, execution?: Execution): Promise<Response>;
}

/**
 * Bots as an edge worker: `export default worker([bot])`. It stays alive for late replies. The
 * platform must have Node's crypto.
 */
export function worker(bots: readonly AnyBot[], options: WebhookOptions = {}): Worker {
  const { answer, idle } = fetchReceiver(bots, options, 'platform');
  return {
    async fetch(request, _environment, execution) {
      const response = await answer(request);
      execution?.waitUntil(idle());
      return response;
    },
  };
}
