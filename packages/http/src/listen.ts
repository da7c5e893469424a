import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

import { answerConnect, answerMalformed } from './answer-malformed.ts';
import { hasBody, limitBodyTime } from './limit-body-time.ts';
import { answerExpectation, readTarget } from './read-target.ts';

export interface Listening {
  readonly url: string;
  readonly port: number;
  readonly server: Server;
  /** From now on each connection is closed after its next answer, so that clients open others. */
  readonly leave: () => void;
  /** Accepts no more connections, waits up to `graceMs` for running requests, then closes all. */
  readonly stop: (graceMs?: number) => Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** The message names host and port. */
export class PortTaken extends Error {}

const MAX_REQUEST_MS = 3_600_000;
/** The URL of a GET may list the ids of five thousand messages. */
const MAX_HEADER_BYTES = 128 * 1024;

export interface ListenOptions {
  readonly port?: number;
  readonly host?: string;
  /**
   * Time limit for sending a request, in milliseconds; default 30 s. For a file: the longest pause
   * between two chunks; the whole file may take an hour.
   */
  readonly requestTimeout?: number;
}

/**
 * Listens on a port; 0 means any free port. Answers 408 to slow clients and the documented error to
 * malformed requests, and disconnects them. The listener gets requests whose `url` is a path. Rejects
 * with PortTaken.
 */
export async function listen(
  listener: RequestListener,
  { port = 0, host = '127.0.0.1', requestTimeout = 30_000 }: ListenOptions = {},
): Promise<Listening> {
  let isLeaving = false;
  // By connection: a set that each response enters and leaves keeps what has left it until a full collection.
  const newest = new Map<Socket, ServerResponse>();
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: requestTimeout / 3,
      requestTimeout: MAX_REQUEST_MS,
      connectionsCheckingInterval: requestTimeout / 6,
      keepAliveTimeout: 75_000,
      // `readTarget` requires it, and says so.
      requireHostHeader: false,
    },
    (request, response) => {
      if (isLeaving) response.setHeader('connection', 'close');
      const { socket } = request;
      if (!newest.has(socket)) socket.once('close', () => newest.delete(socket));
      newest.set(socket, response);
      if (hasBody(request)) limitBodyTime(request, response, requestTimeout);
      if (readTarget(request, response)) listener(request, response);
      else request.resume();
    },
  );
  server.on('connect', answerConnect);
  server.on('checkExpectation', answerExpectation);
  server.on('clientError', answerMalformed(MAX_HEADER_BYTES));
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE' ? new PortTaken(`Port ${port} on ${host} is taken`) : error,
      ),
    );
    server.listen(port, host, resolve);
  });
  const { port: actual } = server.address() as AddressInfo;
  const leave = () => {
    isLeaving = true;
    for (const response of newest.values())
      if (!response.headersSent) response.setHeader('connection', 'close');
  };
  let stopped: Promise<void> | undefined;
  const stop = (graceMs = 2000) => {
    leave();
    return (stopped ??= close(server, graceMs));
  };
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${actual}`,
    port: actual,
    server,
    leave,
    stop,
    [Symbol.asyncDispose]: () => stop(0),
  };
}

async function close(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  // A kept-alive connection becomes idle after its last response.
  const sweep = setInterval(() => server.closeIdleConnections(), 20);
  const end = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(end);
}
