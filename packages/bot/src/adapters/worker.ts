import type { AnyBot } from '../internals.ts';
import type { WebhookOptions } from '../receiver.ts';
import { fetchReceiver } from './fetch-handler.ts';

/** What keeps a worker alive after its answer. */
interface Execution {
  readonly waitUntil: (work: Promise<unknown>) => void;
}

interface Worker {
  fetch(request: Request, environment?: unknown, execution?: Execution): Promise<Response>;
}

/**
 * Bots as a worker of the edge: `export default worker([bot])`. What follows an answer, as replies
 * after the deadline do, is waited for. The platform must have Node's crypto.
 */
export function worker(bots: readonly AnyBot[], options: WebhookOptions = {}): Worker {
  const { answer, idle } = fetchReceiver(bots, options);
  return {
    async fetch(request, _environment, execution) {
      const response = await answer(request);
      execution?.waitUntil(idle());
      return response;
    },
  };
}
