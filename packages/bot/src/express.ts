import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Bot } from './create-bot.ts';
import { respond } from './listener.ts';
import { type ReceiveOptions, receiver } from './receiver.ts';

/**
 * Answers the deliveries of several bots in an Express application:
 * `app.post('/bots', webhook([bot]))`. A body parser may have run before it or not; when one has,
 * the size limit is the parser's.
 */
export function webhook(
  bots: readonly Bot[],
  options: ReceiveOptions = {},
): (request: IncomingMessage & { body?: unknown }, response: ServerResponse) => Promise<void> {
  const receives = receiver(bots, options);
  return (request, response) => respond(receives, request, response);
}
