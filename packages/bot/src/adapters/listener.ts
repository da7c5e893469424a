import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

import type { AnyBot } from '../inside.ts';
import {
  type Answer,
  type Incoming,
  type ReceiveOptions,
  type Receiver,
  receiver,
} from '../receiver.ts';
import { readBody } from './read-body.ts';
import { wantedHeaders } from './wanted-headers.ts';

/** Answers the deliveries of several bots on one address, as the listener of a node:http server. */
export function listener(bots: readonly AnyBot[], options: ReceiveOptions = {}): RequestListener {
  const receives = receiver(bots, options);
  return (request, response) => respond(receives, request, response);
}

/**
 * Reads the body, unless something before has parsed it already, and answers. Looks at the raw headers
 * only, for Node makes an object of all of them when asked for one, and waits for nothing it need not.
 */
export function respond(
  { receive, refuse, maxBodyBytes }: Receiver,
  request: IncomingMessage & { body?: unknown },
  response: ServerResponse,
): void {
  const answer = (incoming: Incoming) => {
    const answered = receive(incoming);
    if (answered instanceof Promise) void answered.then((late) => write(response, late));
    else write(response, answered);
  };
  if (request.method !== 'POST') return write(response, refuse(405));
  if (request.body !== undefined) {
    const { body } = request;
    const text = Buffer.isBuffer(body) ? body.toString() : body;
    const known = typeof text === 'string' ? { text } : { text: undefined, parsed: body };
    return answer(incomingOf(request.headers, known));
  }
  const headers = wantedHeaders(request.rawHeaders);
  if (Number(headers['content-length']) > maxBodyBytes) return write(response, refuse(413));
  readBody(request, maxBodyBytes, (body) => {
    if (body === 'too_large') write(response, refuse(413));
    else if (body === 'broken_off') write(response, refuse(400));
    else answer(incomingOf(headers, body));
  });
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
  const headers: Record<string, string | number> = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  if (status === 405) headers['allow'] = 'POST';
  if (status === 413) headers['connection'] = 'close';
  response.writeHead(status, headers).end(body);
}
