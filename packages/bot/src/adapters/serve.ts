import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { AnyBot } from '../internals.ts';
import { type Receiver, receiver, type WebhookOptions } from '../receiver.ts';
import type { Runtime } from '../runtime.ts';
import { listenerOf } from './listener.ts';

export interface ServeOptions extends WebhookOptions {
  /** Default: 8080; 0 is any free port. */
  readonly port?: number;
  /** Default: 127.0.0.1, this machine only; 0.0.0.0 for all its addresses. */
  readonly host?: string;
  /** How long a request may take to arrive, in milliseconds; default: 10 000. */
  readonly requestTimeoutMs?: number;
}

export interface BotServer {
  readonly url: string;
  /** The bots where they are mounted. */
  readonly runtimes: readonly Runtime[];
  /**
   * Refuses new connections and waits for running handlers. After `graceMs` it aborts their signals
   * and closes all connections.
   */
  readonly stop: (graceMs: number) => Promise<void>;
}

/** Serves webhooks on an address of their own. Rejects if it cannot listen there. */
export async function serve(
  bots: readonly AnyBot[],
  { port = 8080, host = '127.0.0.1', requestTimeoutMs = 10_000, ...options }: ServeOptions,
): Promise<BotServer> {
  const receives = receiver(bots, options, 'process');
  // `import` of node:http reads all of its exports, WebSocket too, and with it loads the whole of fetch:
  // 80 ms and 13 MB more for each bot.
  const { createServer } = process.getBuiltinModule('node:http');
  const server = createServer(
    {
      requestTimeout: requestTimeoutMs,
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.min(1000, requestTimeoutMs),
    },
    listenerOf(receives),
  );
  await listen(server, port, host);
  const { port: actual } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${actual}/`,
    runtimes: receives.runtimes(),
    stop: (graceMs) => close(server, receives, graceMs),
  };
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const taken = cause.code === 'EADDRINUSE';
      const message = `Port ${port} of ${host} is taken: stop what listens there, or choose another.`;
      reject(taken ? new Error(message, { cause }) : cause);
    });
    server.listen(port, host, resolve);
  });
}

async function close(server: Server, receives: Receiver, graceMs: number): Promise<void> {
  const { stop, idle, abort } = receives;
  stop();
  const closed = new Promise((resolve) => server.close(resolve));
  // A connection that is kept alive after its answer would hold up server.close().
  const closing = setInterval(() => server.closeIdleConnections(), 20);
  const cut = setTimeout(() => {
    abort();
    server.closeAllConnections();
  }, graceMs);
  const graceOver = new Promise((resolve) => setTimeout(resolve, graceMs + 1000).unref());
  await closed;
  await Promise.race([idle(), graceOver]);
  clearInterval(closing);
  clearTimeout(cut);
}
