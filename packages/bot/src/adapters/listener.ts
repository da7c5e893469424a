import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

import type { AnyBot } from '../internals.ts';
import {
  type Answer,
  type Incoming,
  type ReceiveOptions,
  type Receiver,
  receiver,
} from '../receiver.ts';
import { inTurns } from './in-turns.ts';
import { readBody } from './read-body.ts';
import { wantedHeaders } from './wanted-headers.ts';

/** Answers the deliveries of several bots on one address, as the listener of a node:http server. */
export function listener(bots: readonly AnyBot[], options: ReceiveOptions = {}): RequestListener {
  return responder(receiver(bots, options));
}

interface Asked {
  readonly incoming: Incoming;
  readonly response: ServerResponse;
}

/**
 * Reads the body, unless something before has parsed it already, and answers. Looks at the raw headers
 * only, for Node makes an object of all of them when asked for one, and waits for nothing it need not.
 */
export function responder({
  receive,
  refuse,
  maxBodyBytes,
}: Receiver): (request: IncomingMessage & { body?: unknown }, response: ServerResponse) => void {
  const answer = inTurns(
    ({ incoming }: Asked) => receive(incoming),
    ({ response }, answered) => {
      if (answered instanceof Promise) void answered.then((late) => write(response, late));
      else write(response, answered);
    },
  );
  return (request, response) => {
    if (request.method !== 'POST') return write(response, refuse(405));
    if (request.body !== undefined) {
      const { body } = request;
      const text = Buffer.isBuffer(body) ? body.toString() : body;
      const known = typeof text === 'string' ? { text } : { text: undefined, parsed: body };
      return answer({ incoming: incomingOf(request.headers, known), response });
    }
    const headers = wantedHeaders(request.rawHeaders);
    if (Number(headers['content-length']) > maxBodyBytes) return write(response, refuse(413));
    readBody(request, maxBodyBytes, (body) => {
      if (body === 'too_large') write(response, refuse(413));
      else if (body === 'broken_off') write(response, refuse(400));
      else answer({ incoming: incomingOf(headers, body), response });
    });
  };
}

/** A request as the receiver takes it, of Node's headers: in lower case. */
export function incomingOf(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  body: Pick<Incoming, 'text' | 'parsed'>,
): Incoming {
  return {
    ...body,
    contentType: one(headers['content-type']),
    signature: {
      id: one(headers['webhook-id']),
      timestamp: one(headers['webhook-timestamp']),
      signature: one(headers['webhook-signature']),
    },
  };
}

const one = (header: string | string[] | undefined) =>
  typeof header === 'string' ? header : header?.[0];

function write(response: ServerResponse, { status, body }: Answer): void {
  // A time-out of the application around this may have answered; the server asks again then.
  if (response.headersSent) return;
  const headers: Record<string, string | number> = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  if (status === 405) headers['allow'] = 'POST';
  if (status === 413) headers['connection'] = 'close';
  response.writeHead(status, headers).end(body);
}
