import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { hasBody, limitBodyTime } from './body-timeout.ts';

export interface Listening {
  readonly url: string;
  readonly port: number;
  readonly server: Server;
  /** Takes no new connections, lets running requests end for `graceMs`, then closes the rest. */
  readonly stop: (graceMs?: number) => Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** The message says which port of which host. */
export class PortTaken extends Error {}

const LONGEST = 3_600_000;
/** A GET may ask for five thousand messages by their ids, in its address. */
const MAX_HEADER_BYTES = 128 * 1024;

interface ListenOptions {
  readonly port?: number;
  readonly host?: string;
  /**
   * How long a client may take to send a whole request, in milliseconds; 30 s. For a file: how long
   * nothing of it may arrive; an hour is for all of it.
   */
  readonly requestTimeout?: number;
}

/**
 * Listens with limits on slow clients, who are answered 408 and cut off; port 0 is any free one.
 * Rejects with PortTaken.
 */
export async function listen(
  listener: RequestListener,
  { port = 0, host = '127.0.0.1', requestTimeout = 30_000 }: ListenOptions = {},
): Promise<Listening> {
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: requestTimeout / 3,
      requestTimeout: LONGEST,
      connectionsCheckingInterval: requestTimeout / 6,
      keepAliveTimeout: 75_000,
    },
    (request, response) => {
      if (hasBody(request)) limitBodyTime(request, response, requestTimeout);
      listener(request, response);
    },
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE' ? new PortTaken(`Port ${port} on ${host} is taken`) : error,
      ),
    );
    server.listen(port, host, resolve);
  });
  const { port: actual } = server.address() as AddressInfo;
  let stopped: Promise<void> | undefined;
  const stop = (graceMs = 2000) => (stopped ??= close(server, graceMs));
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${actual}`,
    port: actual,
    server,
    stop,
    [Symbol.asyncDispose]: () => stop(0),
  };
}

async function close(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  // A connection kept alive becomes idle when its last request has been answered.
  const sweep = setInterval(() => server.closeIdleConnections(), 20);
  const end = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(end);
}
