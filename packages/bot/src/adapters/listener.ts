import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

import type { AnyBot } from '../internals.ts';
import {
  type WebhookOptions,
  type Receiver,
  receiver,
  type WebhookRequest,
  type WebhookResponse,
} from '../receiver.ts';

/** Answers the deliveries of several bots on one address, as the listener of a node:http server. */
export function listener(bots: readonly AnyBot[], options: WebhookOptions = {}): RequestListener {
  return listenerOf(receiver(bots, options));
}

type ParsedRequest = IncomingMessage & { readonly body?: unknown };

/** Also works behind a body parser, which has put the body into `request.body`. */
export function listenerOf(
  receives: Receiver,
): (request: ParsedRequest, response: ServerResponse) => void {
  const { receive, refuse, maxBodyBytes } = receives;
  return (request, response) => {
    const respond = (answer: WebhookResponse) => write(response, answer);
    const receiveBody = (body: Body) =>
      void receive(webhookRequest(request.headers, body)).then(respond);
    if (request.method !== 'POST') respond(refuse(405));
    else if (request.body !== undefined) receiveBody(parsedBody(request));
    else if (Number(request.headers['content-length']) > maxBodyBytes) respond(refuse(413));
    else
      readBody(request, maxBodyBytes, (body) => {
        if (typeof body === 'string') receiveBody({ text: body });
        else respond(refuse(body));
      });
  };
}

type Body = Pick<WebhookRequest, 'text' | 'parsed'>;

function parsedBody({ body }: ParsedRequest): Body {
  const text = Buffer.isBuffer(body) ? body.toString() : body;
  return typeof text === 'string' ? { text } : { text: undefined, parsed: body };
}

/**
 * Reads a body as UTF-8 and calls back once: with the text, with 413 at more than `limit` bytes, or
 * with 400 if the body ends early. Does not close the connection.
 */
function readBody(
  request: IncomingMessage,
  limit: number,
  done: (body: string | 400 | 413) => void,
): void {
  const chunks: Buffer[] = [];
  let size = 0;
  let isDone = false;
  const end = (body: string | 400 | 413) => {
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
    end((isWhole ? first : Buffer.concat(chunks)).toString());
  });
  request.on('close', () => end(400));
  if (request.readableEnded || request.destroyed) end(400);
}

/** The request as the receiver takes it. The names of the headers are in lower case. */
export function webhookRequest(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  body: Body,
): WebhookRequest {
  const { text, parsed } = body;
  return {
    text,
    parsed,
    contentType: only(headers['content-type']),
    signature: {
      id: only(headers['webhook-id']),
      timestamp: only(headers['webhook-timestamp']),
      signature: only(headers['webhook-signature']),
    },
  };
}

const only = (value: string | string[] | undefined) =>
  typeof value === 'object' ? value[0] : value;

function write(response: ServerResponse, { status, body }: WebhookResponse): void {
  // A time-out of the surrounding application may have answered; the server then delivers again.
  if (response.headersSent) return;
  const headers: Record<string, string | number> = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  if (status === 405) headers['allow'] = 'POST';
  if (status === 413) headers['connection'] = 'close';
  response.writeHead(status, headers).end(body);
}
