import type { IncomingMessage, ServerResponse } from 'node:http';

import type { AnyBot } from '../internals.ts';
import { type WebhookOptions, receiver } from '../receiver.ts';
import { listenerOf } from './listener.ts';

/**
 * Answers the deliveries of several bots in an Express application:
 * `app.post('/bots', webhook([bot]))`. A body parser may have run before it or not; when one has,
 * the size limit is the parser's. Schedules and tasks are begun by `startWork`.
 */
export function webhook(
  bots: readonly AnyBot[],
  options: WebhookOptions = {},
): (request: IncomingMessage & { body?: unknown }, response: ServerResponse) => void {
  return listenerOf(receiver(bots, options));
}
