import type { AnyBot } from '../internals.ts';
import type { WebhookOptions } from '../receiver.ts';
import { fetchHandler } from './fetch-handler.ts';

/** Answers the deliveries of several bots in a Hono application: `app.all('/bots', webhook([bot]))`. */
export function webhook(
  bots: readonly AnyBot[],
  options: WebhookOptions = {},
): (context: { readonly req: { readonly raw: Request } }) => Promise<Response> {
  const answer = fetchHandler(bots, options);
  return ({ req }) => answer(req.raw);
}
