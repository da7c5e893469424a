import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

import type { App } from '../app.ts';
import { delivery, deliveryRequest, email, token } from '../delivery.ts';

/** Bellhop with its default options, except the limit of replies. */
export const bellhop: App = {
  name: 'Bellhop',
  request: deliveryRequest,
  async serve(handled, commands) {
    const { createBot } = await import('@bellhop/bot');
    const { listener: serveBots } = await import('@bellhop/bot/node');
    // The load exceeds the default limit of replies in a conversation.
    const bot = createBot({ email, token, maxRepliesPerMinute: Infinity });
    for (let n = 1; n < commands; n++) bot.command(`other-${n}`, () => 'other');
    bot.command('deploy <branch>', (ctx) => {
      handled();
      return `Deployed ${ctx.message.content.length}`;
    });
    const listener = serveBots([bot]);
    return { listener, inProcess: (n) => parsedDelivery(listener, n) };
  },
};

/** Hands a parsed delivery to the listener, as after a body parser. */
function parsedDelivery(listener: RequestListener, n: number): () => Promise<unknown> {
  const request = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: delivery(n, token, ''),
  };
  return () =>
    new Promise((resolve) => {
      const response = { writeHead: () => response, end: resolve };
      listener(request as unknown as IncomingMessage, response as unknown as ServerResponse);
    });
}
