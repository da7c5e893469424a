import type { IncomingMessage, ServerResponse } from 'node:http';

import type { AnyBot } from '../internals.ts';
import { type WebhookOptions, receiver } from '../receiver.ts';
import { listenerOf } from './listener.ts';

/**
 * Answers the deliveries of several bots in an Express application:
 * `app.post('/bots', webhook([bot]))`. It works behind a body parser, whose size limit then counts.
 * `start(bots, { transport: 'none' })` runs their schedules and tasks.
 */
export function webhook(
  bots: readonly AnyBot[],
  options: WebhookOptions = {},
): (request: IncomingMessage & { body?: unknown }, response: ServerResponse) => void {
  return listenerOf(receiver(bots, options, 'process'));
}
