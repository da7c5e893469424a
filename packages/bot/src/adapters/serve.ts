import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { AnyBot } from '../internals.ts';
import { type ReceiveOptions, type Receiver, receiver } from '../receiver.ts';
import { startWork } from '../schedules/start-work.ts';
import { listenerOf } from './listener.ts';

export interface ServeOptions extends ReceiveOptions {
  /** 0 is any free one. */
  readonly port: number;
  /** This machine only (127.0.0.1) unless said otherwise; 0.0.0.0 for all its addresses. */
  readonly host?: string;
  /** Whether SIGTERM and SIGINT stop it, and then the process. True unless said otherwise. */
  readonly signals?: boolean;
  /** How long a request may take to arrive, 10 s unless said otherwise. */
  readonly requestTimeoutMs?: number;
}

export interface Serving {
  readonly url: string;
  /**
   * Takes no more connections, so that the server tries again later, and lets running handlers end,
   * those also whose reply goes by REST. After `graceMs` (10 s, the server's own patience) it aborts
   * their signals and cuts what still runs.
   */
  readonly stop: (graceMs?: number) => Promise<void>;
}

/** Serves bots on an address of their own. Rejects when it cannot listen there. */
export async function serve(bots: readonly AnyBot[], options: ServeOptions): Promise<Serving> {
  const { port, host = '127.0.0.1', signals = true, requestTimeoutMs = 10_000 } = options;
  const receives = receiver(bots, options);
  const server = createServer(
    {
      requestTimeout: requestTimeoutMs,
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.min(1000, requestTimeoutMs),
    },
    listenerOf(receives),
  );
  await listen(server, port, host);

  const stopWork = await startWork(bots, options.hooks);
  let stopped: Promise<void> | undefined;
  let ignoreSignals = () => {};
  const stop = (graceMs = 10_000): Promise<void> =>
    (stopped ??= Promise.all([close(server, receives, graceMs), stopWork()])
      .then(() => undefined)
      .finally(() => ignoreSignals()));
  if (signals) ignoreSignals = onSignals(stop);

  const { port: actual } = server.address() as AddressInfo;
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${actual}/`, stop };
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

async function close(server: Server, { idle, abort }: Receiver, graceMs: number): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  // An answered connection would otherwise be kept alive for the next request, and hold this up.
  const closing = setInterval(() => server.closeIdleConnections(), 20);
  const cut = setTimeout(() => {
    abort();
    server.closeAllConnections();
  }, graceMs);
  const patience = new Promise((resolve) => setTimeout(resolve, graceMs + 1000).unref());
  await closed;
  await Promise.race([idle(), patience]);
  clearInterval(closing);
  clearTimeout(cut);
}

/**
 * Stops on the first signal, and then lets it end the process, unless somebody else listens to it.
 * A second one ends the process at once.
 */
function onSignals(stop: () => Promise<void>): () => void {
  const names = ['SIGTERM', 'SIGINT'] as const;
  const onSignal = (signal: NodeJS.Signals) => {
    ignore();
    void stop().then(() => {
      if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
    });
  };
  const ignore = () => names.forEach((name) => process.off(name, onSignal));
  names.forEach((name) => process.on(name, onSignal));
  return ignore;
}
