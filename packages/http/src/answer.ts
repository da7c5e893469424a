import type { ServerResponse } from 'node:http';

import { ApiError, codeless } from '@bellhop/protocol';

import type { Exchange } from './exchange.ts';

/** Sends a success body, or 204 where there is none; returns the status. */
export function answer(
  response: ServerResponse,
  exchange: Exchange,
  body: object | undefined,
): number {
  if (body === undefined) {
    response.writeHead(204).end();
    return 204;
  }
  send(response, exchange, 200, body);
  return 200;
}

/** Sends an error in the documented envelope; anything but an ApiError becomes a bare 500. */
export function refuse(response: ServerResponse, exchange: Exchange, error: unknown): number {
  const failure = error instanceof ApiError ? error : new ApiError('INTERNAL_ERROR');
  const { code, data, message: msg, status } = failure;
  if (status === 401) exchange.setHeader('www-authenticate', 'Basic realm="api"');
  if (code === 'RATE_LIMIT_HIT') exchange.setHeader('retry-after', String(data['retry-after']));
  // The rest of an oversized body is not read, so the connection cannot be used again.
  if (code === 'PAYLOAD_TOO_LARGE') exchange.setHeader('connection', 'close');
  send(response, exchange, status, {
    result: 'error',
    msg,
    ...(codeless.has(code) ? {} : { code }),
    ...data,
  });
  return status;
}

function send(response: ServerResponse, exchange: Exchange, status: number, body: object): void {
  if (response.headersSent || response.destroyed) return;
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  response.end(exchange.method === 'HEAD' ? undefined : text);
}
