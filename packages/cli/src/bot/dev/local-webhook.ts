import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

import { listen, PortTaken } from '@bellhop/http';

interface Local {
  readonly port: number;
  readonly host: string;
  /** The tokens of the bot's outgoing webhook. */
  readonly tokens: readonly string[];
  /** Told of the body of every genuine webhook. */
  readonly onWebhook: (body: object) => void;
}

const LONGEST = 1024 * 1024;

/**
 * Takes webhooks where the bot would listen by itself, and answers each with silence: the server, if
 * it sends them there, sees no failure meanwhile, and the reply goes by REST, once. Undefined when
 * something listens there already.
 */
export async function localWebhook(local: Local): Promise<(() => Promise<void>) | undefined> {
  const { port, host, tokens, onWebhook } = local;
  const digests = tokens.map(digestOf);
  const isOurs = (token: unknown) =>
    typeof token === 'string' && digests.some((one) => timingSafeEqual(one, digestOf(token)));
  try {
    const listening = await listen(
      (request, response) => {
        void read(request).then((body) => {
          const genuine =
            typeof body === 'object' && body !== null && 'token' in body && isOurs(body.token);
          response.writeHead(genuine ? 200 : 401, { 'content-type': 'application/json' });
          response.end(genuine ? '{"response_not_required":true}' : '{"error":"Unauthorized"}');
          if (genuine) onWebhook(body);
        });
      },
      { port, host },
    );
    return () => listening.stop(0);
  } catch (error) {
    if (error instanceof PortTaken) return undefined;
    throw error;
  }
}

const digestOf = (token: string) => hash('sha256', token, 'buffer');

/** Undefined for what is no JSON, or too long. */
async function read(request: IncomingMessage): Promise<unknown> {
  if (!(Number(request.headers['content-length']) <= LONGEST)) return undefined;
  try {
    return JSON.parse(await text(request));
  } catch {
    return undefined;
  }
}
