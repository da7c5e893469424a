import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Bot } from './create-bot.ts';
import { listener } from './listener.ts';
import type { ReceiveOptions } from './receiver.ts';

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
   * Takes no more connections and lets running deliveries finish. After `graceMs` (10 s, the
   * server's own patience) it cuts what still runs.
   */
  readonly stop: (graceMs?: number) => Promise<void>;
}

/** Serves bots on an address of their own. Rejects when it cannot listen there. */
export async function serve(bots: readonly Bot[], options: ServeOptions): Promise<Serving> {
  const { port, host = '127.0.0.1', signals = true, requestTimeoutMs = 10_000 } = options;
  const server = createServer(
    {
      requestTimeout: requestTimeoutMs,
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.min(1000, requestTimeoutMs),
    },
    listener(bots, options),
  );
  await listen(server, port, host);

  let stopped: Promise<void> | undefined;
  let ignoreSignals = () => {};
  const stop = (graceMs = 10_000): Promise<void> =>
    (stopped ??= close(server, graceMs).finally(() => ignoreSignals()));
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

async function close(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  // An answered connection would otherwise be kept alive for the next request, and hold this up.
  const idle = setInterval(() => server.closeIdleConnections(), 20);
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(idle);
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
