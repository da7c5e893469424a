import type { IncomingMessage, ServerResponse } from 'node:http';

import {
  badRequest,
  type Endpoint,
  MAX_IDEMPOTENCY_KEY_LENGTH,
  normalHost,
} from '@bellhop/protocol/contract';

import { clientAddress } from './client-address.ts';

/** A request before its parameters are read, and the headers of its response. */
export interface Exchange {
  readonly method: string;
  /** The path without the query; double slashes are collapsed. */
  readonly path: string;
  /**
   * The Host header, behind a trusted proxy `X-Forwarded-Host`: in lower case, without a final dot and the
   * default port.
   */
  readonly host: string;
  /** The client's address in its one spelling; behind a trusted proxy from `X-Forwarded-For`. */
  readonly ip: string;
  readonly protocol: 'http' | 'https';
  /** On the clock of `performance.now()`. */
  readonly startedAt: number;
  /** A request header by its lower-case name. */
  readonly header: (name: string) => string | undefined;
  /** Sets a response header, of successes and errors. */
  readonly setHeader: (name: string, value: string) => void;
  /**
   * Aborted when the client disconnects before the response. A function, not an accessor: V8 puts the
   * accessors of object literals into old space, which keeps the request until a full collection.
   */
  readonly signal: () => AbortSignal;
}

/** The proxy appends its own entry last; the client may have forged the others. */
const last = (header: string | undefined) => header?.split(',').at(-1)?.trim();

export function exchangeOf(
  request: IncomingMessage,
  response: ServerResponse,
  behindProxy: boolean,
): Exchange {
  const header = (name: string) => {
    const value = request.headers[name];
    return Array.isArray(value) ? value[0] : value;
  };
  const forwarded = (name: string) => (behindProxy ? last(header(name)) : undefined);
  const protocol = forwarded('x-forwarded-proto')?.toLowerCase() === 'https' ? 'https' : 'http';
  let aborted: AbortController | undefined;
  return {
    method: request.method ?? 'GET',
    path: pathOf(request.url ?? '/'),
    host: hostOf(forwarded('x-forwarded-host') ?? header('host') ?? '', protocol),
    ip: clientAddress(forwarded('x-forwarded-for'), request.socket),
    protocol,
    startedAt: performance.now(),
    header,
    setHeader: (name, value) => {
      if (!response.headersSent) response.setHeader(name, value);
    },
    signal: () => {
      aborted ??= abortedOnClose(response);
      return aborted.signal;
    },
  };
}

/** A host that is in its one form, as browsers send it, unless its port is the default one. */
const PLAIN_HOST = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d{4,5})?$/;

function hostOf(text: string, protocol: Exchange['protocol']): string {
  return PLAIN_HOST.test(text) ? text : (normalHost(text, protocol) ?? text.toLowerCase());
}

function pathOf(url: string): string {
  const query = url.indexOf('?');
  const path = query === -1 ? url : url.slice(0, query);
  return path.includes('//') ? path.replace(/\/{2,}/g, '/') : path;
}

function abortedOnClose(response: ServerResponse): AbortController {
  const controller = new AbortController();
  const leave = () => {
    if (!response.writableEnded) controller.abort();
  };
  if (response.destroyed) leave();
  else response.once('close', leave);
  return controller;
}

/**
 * The header `Idempotency-Key`; undefined if the endpoint takes none or the client sent none. Throws
 * BAD_REQUEST unless it is 1 to 255 printable characters of ASCII.
 */
export function idempotencyKeyOf(
  { hasIdempotencyKey }: Endpoint,
  exchange: Exchange,
): string | undefined {
  const key = hasIdempotencyKey ? exchange.header('idempotency-key') : undefined;
  if (key === undefined) return undefined;
  if (/^[\x20-\x7e]+$/.test(key) && key.length <= MAX_IDEMPOTENCY_KEY_LENGTH) return key;
  throw badRequest(
    `The header Idempotency-Key must be 1 to ${MAX_IDEMPOTENCY_KEY_LENGTH} printable characters of ASCII`,
  );
}
