import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';

import type { AnyBot } from '../internals.ts';
import type { WebhookRequest, WebhookResponse } from '../open-delivery.ts';
import { type WebhookOptions, type Receiver, receiver } from '../receiver.ts';
import { type Body, bodyReadBefore, isEmptyBody } from './body-read-before.ts';

/** Answers the deliveries of several bots on one address, as the listener of a node:http server. */
export function listener(bots: readonly AnyBot[], options: WebhookOptions = {}): RequestListener {
  return listenerOf(receiver(bots, options, 'process'));
}

type ParsedRequest = IncomingMessage & { readonly body?: unknown };

/** Also works behind a body parser, which has put the body into `request.body`, or has skipped it. */
export function listenerOf(
  receives: Receiver,
): (request: ParsedRequest, response: ServerResponse) => void {
  const { receive, refuse, maxBodyBytes } = receives;
  return (request, response) => {
    const respond = (answer: WebhookResponse) => write(response, answer);
    if (request.method !== 'POST') return respond(refuse(405));
    const { body: given } = request;
    if (wasRead(request) || !isEmptyBody(given)) {
      const body = bodyReadBefore(given, request.headers['content-length']);
      if (body === undefined) return respond(refuse(400, 'body_lost'));
      return void receive(webhookRequest(request.headers, body)).then(respond);
    }
    const { headers } = request;
    if (Number(headers['content-length']) > maxBodyBytes) return respond(refuse(413));
    readBody(request, maxBodyBytes, (body) => {
      if (typeof body === 'number') return respond(refuse(body));
      void receive(webhookRequest(headers, { text: body })).then(respond);
    });
  };
}

/** Whether the stream of a body has been read. An object that is no stream has nothing to read. */
export const wasRead = (stream: Partial<Pick<Readable, 'readableDidRead'>>): boolean =>
  stream.readableDidRead !== false;

/**
 * Reads a body and calls back once: with its bytes, with 413 at more than `limit` bytes, or
 * with 400 if the body ends early. Does not close the connection.
 */
function readBody(
  request: IncomingMessage,
  limit: number,
  done: (body: Buffer | 400 | 413) => void,
): void {
  const chunks: Buffer[] = [];
  let size = 0;
  let isDone = false;
  const end = (body: Buffer | 400 | 413) => {
    if (isDone) return;
    isDone = true;
    done(body);
  };
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= limit) return void chunks.push(chunk);
    request.pause();
    end(413);
  });
  request.on('end', () => {
    const [first] = chunks;
    const isWhole = chunks.length === 1 && first !== undefined;
    end(isWhole ? first : Buffer.concat(chunks));
  });
  request.on('close', () => end(400));
  if (request.readableEnded || request.destroyed) end(400);
}

/** The request as the receiver takes it. The names of the headers are in lower case. */
export function webhookRequest(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  body: Body,
): WebhookRequest {
  return {
    ...body,
    contentType: only(headers['content-type']),
    contentEncoding: headers['content-encoding']?.toString(),
    signature: {
      id: first(headers['webhook-id']),
      timestamp: first(headers['webhook-timestamp']),
      signature: first(headers['webhook-signature']),
    },
  };
}

const only = (value: string | string[] | undefined) =>
  typeof value === 'object' ? value[0] : value;

/** Of a header that was sent twice, node:http makes a list. */
const first = (value: string | string[] | undefined) => only(value)?.split(', ', 1)[0];

function write(response: ServerResponse, { status, body, headers: more }: WebhookResponse): void {
  // A time-out of the surrounding application may have answered; the server then delivers again.
  if (response.headersSent) return;
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    ...(status === 413 && { connection: 'close' }),
    ...more,
  };
  response.writeHead(status, headers).end(body);
}
