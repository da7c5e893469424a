import type { IncomingMessage, ServerResponse } from 'node:http';

/** What is known of a request before its parameters are read. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  /** Host name and port the client used, lower case; of `X-Forwarded-Host` behind a trusted proxy. */
  readonly host: string;
  /** The client's address; of `X-Forwarded-For` behind a trusted proxy. */
  readonly ip: string;
  readonly protocol: 'http' | 'https';
  readonly header: (name: string) => string | undefined;
  /** Sets a header of the answer, whether it succeeds or fails. */
  readonly setHeader: (name: string, value: string) => void;
  /** Aborted when the client goes away before it was answered. */
  readonly signal: AbortSignal;
}

const first = (header: string | undefined) => header?.split(',')[0]?.trim();

export function exchangeOf(
  request: IncomingMessage,
  response: ServerResponse,
  behindProxy: boolean,
): Exchange {
  const header = (name: string) => {
    const value = request.headers[name];
    return Array.isArray(value) ? value[0] : value;
  };
  const forwarded = (name: string) => (behindProxy ? first(header(name)) : undefined);
  const url = request.url ?? '/';
  const query = url.indexOf('?');
  let gone: AbortController | undefined;
  return {
    method: request.method ?? 'GET',
    path: query === -1 ? url : url.slice(0, query),
    host: (forwarded('x-forwarded-host') ?? header('host') ?? '').toLowerCase(),
    ip: forwarded('x-forwarded-for') ?? request.socket.remoteAddress ?? '',
    protocol: forwarded('x-forwarded-proto') === 'https' ? 'https' : 'http',
    header,
    setHeader: (name, value) => {
      if (!response.headersSent) response.setHeader(name, value);
    },
    get signal() {
      if (!gone) {
        const controller = new AbortController();
        if (response.destroyed) controller.abort();
        else response.once('close', () => controller.abort());
        gone = controller;
      }
      return gone.signal;
    },
  };
}
