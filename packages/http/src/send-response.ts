import type { ServerResponse } from 'node:http';

import { ApiError, type ErrorCode, stringifyJson } from '@bellhop/protocol/contract';

import { asksForLogin } from './cross-site.ts';
import { CompressedBody } from './declared-body.ts';
import type { Exchange } from './exchange.ts';

/** The status for logs and metrics if the client closed the connection before the response. */
const CLIENT_CLOSED = 499;

interface Success {
  /** Undefined for OPTIONS: the response is 204. */
  readonly body: object | undefined;
  /** Whether the response redirects to the `url` of the body. */
  readonly redirects: boolean;
}

/** Sends a success. Returns the status. */
export function sendSuccess(
  response: ServerResponse,
  exchange: Exchange,
  { body, redirects }: Success,
): number {
  if (body && redirects && 'url' in body) {
    exchange.setHeader('location', String(body.url));
    return send(response, exchange, { status: 302, body });
  }
  if (body) return send(response, exchange, { status: 200, body });
  if (response.destroyed) return CLIENT_CLOSED;
  response.writeHead(204).end();
  return 204;
}

/** Errors that credentials would solve. */
const challenged: ReadonlySet<ErrorCode> = new Set(['UNAUTHORIZED', 'INVALID_API_KEY']);

interface ErrorPlace {
  /** Whether people open the address in a browser, which then may ask for a login. */
  readonly isPage: boolean;
}

/**
 * Sends an error in the documented envelope. An error that is no ApiError becomes INTERNAL_ERROR.
 * Returns the status.
 */
export function sendError(
  response: ServerResponse,
  exchange: Exchange,
  error: unknown,
  { isPage }: ErrorPlace = { isPage: false },
): number {
  const failure = error instanceof ApiError ? error : new ApiError('INTERNAL_ERROR');
  const { code, data, message: msg, status } = failure;
  // A browser sends a login again within its realm, so that one for files never reaches the API.
  if (challenged.has(code) && asksForLogin(exchange, isPage))
    exchange.setHeader('www-authenticate', `Basic realm="${isPage ? 'files' : 'api'}"`);
  const retryAfter = data['retry-after'];
  if (typeof retryAfter === 'number') exchange.setHeader('retry-after', String(retryAfter));
  if (error instanceof CompressedBody) exchange.setHeader('accept-encoding', 'identity');
  const body = { result: 'error', msg, code, ...data };
  return send(response, exchange, { status, body });
}

/** Node writes a longer text (in characters) to a connection slower than its bytes. */
const LONG_TEXT = 128 * 1024;

interface JsonResponse {
  readonly status: number;
  readonly body: object;
}

function send(
  response: ServerResponse,
  exchange: Exchange,
  { status, body }: JsonResponse,
): number {
  if (response.destroyed) return CLIENT_CLOSED;
  const text = stringifyJson(body);
  const content = text.length > LONG_TEXT ? Buffer.from(text) : text;
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(content),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  response.end(exchange.method === 'HEAD' ? undefined : content);
  return status;
}
