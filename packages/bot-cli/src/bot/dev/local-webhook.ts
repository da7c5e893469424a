import { hash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

interface LocalWebhookOptions {
  readonly port: number;
  readonly host: string;
  /** The tokens of the bot's outgoing webhook. */
  readonly tokens: readonly string[];
  /** Called with the body of each webhook that has one of the tokens. `attempt` counts from 1. */
  readonly onWebhook: (body: object, attempt: number) => void;
}

const MAX_BODY_BYTES = 1024 * 1024;

/**
 * Listens where the bot would in production, and answers webhooks with an empty reply: the server sees
 * no failure, and the reply goes by REST, once. Undefined if the port is taken.
 */
export async function localWebhook({
  port,
  host,
  tokens,
  onWebhook,
}: LocalWebhookOptions): Promise<{ readonly stop: () => void } | undefined> {
  const isOurs = (token: unknown) =>
    typeof token === 'string' &&
    tokens.some((one) => timingSafeEqual(digestOf(one), digestOf(token)));
  const server = createServer((request, response) => {
    void read(request).then((body) => {
      const genuine =
        typeof body === 'object' && body !== null && 'token' in body && isOurs(body.token);
      response.writeHead(genuine ? 200 : 401, { 'content-type': 'application/json' });
      response.end(genuine ? '{"response_not_required":true}' : '{"error":"Unauthorized"}');
      if (genuine) onWebhook(body, Number(request.headers['webhook-attempt'] ?? 1));
    });
  }).listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return undefined;
    throw error;
  }
  return {
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

const digestOf = (token: string) => hash('sha256', token, 'buffer');

/** The value of a JSON body; undefined if the body is invalid or too long. */
async function read(request: IncomingMessage): Promise<unknown> {
  if (!(Number(request.headers['content-length']) <= MAX_BODY_BYTES)) return undefined;
  try {
    return JSON.parse(await text(request));
  } catch {
    return undefined;
  }
}
