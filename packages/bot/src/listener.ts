import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

import type { Bot } from './create-bot.ts';
import { readBody } from './read-body.ts';
import {
  type Answer,
  parseBody,
  type ReceiveOptions,
  type Receiver,
  receiver,
} from './receiver.ts';

/** Answers the deliveries of several bots on one address, as the listener of a node:http server. */
export function listener(bots: readonly Bot[], options: ReceiveOptions = {}): RequestListener {
  const receives = receiver(bots, options);
  return (request, response) => void respond(receives, request, response);
}

/** Reads the body, unless something before has parsed it already. Never rejects. */
export async function respond(
  { receive, refuse, maxBodyBytes }: Receiver,
  request: IncomingMessage & { body?: unknown },
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'POST') return write(response, refuse(405));
  if (request.body !== undefined) return write(response, await receive(parsed(request.body)));
  const body = await readBody(request, maxBodyBytes);
  if (body === 'too_large') return write(response, refuse(413));
  if (body === 'broken_off') return write(response, refuse(400));
  write(response, await receive(parseBody(body.text)));
}

function parsed(body: unknown): unknown {
  if (typeof body === 'string') return parseBody(body);
  return Buffer.isBuffer(body) ? parseBody(body.toString()) : body;
}

function write(response: ServerResponse, { status, body }: Answer): void {
  const headers: Record<string, string | number> = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  if (status === 405) headers['allow'] = 'POST';
  if (status === 413) headers['connection'] = 'close';
  response.writeHead(status, headers).end(body);
}
