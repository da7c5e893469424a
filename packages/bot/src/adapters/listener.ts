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
  return (request, response) => {
    void respondTo(request, receives).then((answer) => write(response, answer));
  };
}

async function respondTo(
  request: ParsedRequest,
  { receive, refuse, maxBodyBytes }: Receiver,
): Promise<WebhookResponse> {
  if (request.method !== 'POST') return refuse(405);
  if (request.body !== undefined)
    return receive(webhookRequest(request.headers, parsedBody(request)));
  if (Number(request.headers['content-length']) > maxBodyBytes) return refuse(413);
  const body = await readBody(request, maxBodyBytes);
  if (body === 'too_large') return refuse(413);
  if (body === 'incomplete') return refuse(400);
  return receive(webhookRequest(request.headers, body));
}

function parsedBody({ body }: ParsedRequest): Pick<WebhookRequest, 'text' | 'parsed'> {
  const text = Buffer.isBuffer(body) ? body.toString() : body;
  return typeof text === 'string' ? { text } : { text: undefined, parsed: body };
}

/** Reads a body as UTF-8. Stops at `limit` bytes, without closing the connection. */
function readBody(
  request: IncomingMessage,
  limit: number,
): Promise<{ text: string } | 'too_large' | 'incomplete'> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) return void chunks.push(chunk);
      request.pause();
      resolve('too_large');
    });
    request.on('end', () => resolve({ text: Buffer.concat(chunks).toString() }));
    request.on('close', () => resolve('incomplete'));
    if (request.readableEnded || request.destroyed) resolve('incomplete');
  });
}

/** The request as the receiver takes it. The names of the headers are in lower case. */
export function webhookRequest(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  body: Pick<WebhookRequest, 'text' | 'parsed'>,
): WebhookRequest {
  const header = (name: string) => {
    const value = headers[name];
    return typeof value === 'string' ? value : value?.[0];
  };
  return {
    ...body,
    contentType: header('content-type'),
    signature: {
      id: header('webhook-id'),
      timestamp: header('webhook-timestamp'),
      signature: header('webhook-signature'),
    },
  };
}

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
