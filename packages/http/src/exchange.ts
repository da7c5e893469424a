import type { IncomingMessage, ServerResponse } from 'node:http';

/** What is known of a request before its parameters are read. */
export interface Exchange {
  readonly method: string;
  /** The path without its query, doubled slashes made one. */
  readonly path: string;
  /** Host name and port the client used, lower case; of `X-Forwarded-Host` behind a trusted proxy. */
  readonly host: string;
  /** The client's address; of `X-Forwarded-For` behind a trusted proxy. */
  readonly ip: string;
  readonly protocol: 'http' | 'https';
  /** A header of the request by its lower-case name. */
  readonly header: (name: string) => string | undefined;
  /** Sets a header of the answer, whether it succeeds or fails. */
  readonly setHeader: (name: string, value: string) => void;
  /**
   * Aborted when the client goes away before it was answered. Not an accessor: V8 puts those of an
   * object literal into old space, which would keep every request until a full collection.
   */
  readonly signal: () => AbortSignal;
}

/** The trusted proxy appends what it saw, so only the last entry is not the client's to invent. */
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
  const address = forwarded('x-forwarded-for') ?? request.socket.remoteAddress ?? '';
  let gone: AbortController | undefined;
  return {
    method: request.method ?? 'GET',
    path: pathOf(request.url ?? '/'),
    host: (forwarded('x-forwarded-host') ?? header('host') ?? '').toLowerCase(),
    ip: address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address,
    protocol: forwarded('x-forwarded-proto') === 'https' ? 'https' : 'http',
    header,
    setHeader: (name, value) => {
      if (!response.headersSent) response.setHeader(name, value);
    },
    signal: () => {
      gone ??= abortedWhenLeft(response);
      return gone.signal;
    },
  };
}

function pathOf(url: string): string {
  const query = url.indexOf('?');
  const path = query === -1 ? url : url.slice(0, query);
  return path.includes('//') ? path.replace(/\/{2,}/g, '/') : path;
}

function abortedWhenLeft(response: ServerResponse): AbortController {
  const controller = new AbortController();
  const leave = () => {
    if (!response.writableEnded) controller.abort();
  };
  if (response.destroyed) leave();
  else response.once('close', leave);
  return controller;
}
