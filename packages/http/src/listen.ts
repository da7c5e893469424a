import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Listening {
  readonly url: string;
  readonly port: number;
  readonly server: Server;
  /** Takes no new connections, lets running requests end for `graceMs`, then closes the rest. */
  readonly stop: (graceMs?: number) => Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export class PortTaken extends Error {}

/** Listens with limits on slow clients; port 0 is any free one. Rejects with PortTaken. */
export async function listen(
  listener: RequestListener,
  { port = 0, host = '127.0.0.1' }: { port?: number; host?: string } = {},
): Promise<Listening> {
  const server = createServer(
    {
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      connectionsCheckingInterval: 5_000,
      keepAliveTimeout: 75_000,
    },
    listener,
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
  const stop = async (graceMs = 2000) => {
    if (!server.listening) return;
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeIdleConnections();
    const timer = setTimeout(() => server.closeAllConnections(), graceMs);
    await closed;
    clearTimeout(timer);
  };
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${actual}`,
    port: actual,
    server,
    stop,
    [Symbol.asyncDispose]: () => stop(0),
  };
}
