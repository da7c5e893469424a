import type { ServerResponse } from 'node:http';

import { ApiError, codeless, type ErrorCode, stringifyJson } from '@bellhop/protocol';

import type { Exchange } from './exchange.ts';

/** The status told to logs and metrics where the client left before it was answered. */
const CLIENT_LEFT = 499;

/** Sends a success body, or 204 where there is none; returns the status. */
export function answer(
  response: ServerResponse,
  exchange: Exchange,
  body: object | undefined,
): number {
  if (body) return send(response, exchange, { status: 200, body });
  if (response.destroyed) return CLIENT_LEFT;
  response.writeHead(204).end();
  return 204;
}

/** What Basic credentials can cure; a login form's refusal must not open a browser's own dialogue. */
const challenged: ReadonlySet<ErrorCode> = new Set(['UNAUTHORIZED', 'INVALID_API_KEY']);

/** Sends an error in the documented envelope; anything but an ApiError becomes a bare 500. */
export function refuse(response: ServerResponse, exchange: Exchange, error: unknown): number {
  const failure = error instanceof ApiError ? error : new ApiError('INTERNAL_ERROR');
  const { code, data, message: msg, status } = failure;
  if (challenged.has(code)) exchange.setHeader('www-authenticate', 'Basic realm="api"');
  const retryAfter = data['retry-after'];
  if (typeof retryAfter === 'number') exchange.setHeader('retry-after', String(retryAfter));
  const body = { result: 'error', msg, ...(codeless.has(code) ? {} : { code }), ...data };
  return send(response, exchange, { status, body });
}

interface Answer {
  readonly status: number;
  readonly body: object;
}

function send(response: ServerResponse, exchange: Exchange, { status, body }: Answer): number {
  if (response.destroyed) return CLIENT_LEFT;
  const text = stringifyJson(body);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  response.end(exchange.method === 'HEAD' ? undefined : text);
  return status;
}
