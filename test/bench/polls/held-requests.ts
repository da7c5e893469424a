import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import { bodyOf } from '../response.ts';

/** Connections whose requests a server answers when it has something to say. */
export interface HeldRequests extends Disposable {
  /**
   * Sends one request on each connection, which the first call opens: a server closes one on which no
   * request comes soon. `requestOf` gets the index and the last response.
   */
  readonly ask: (requestOf: (index: number, last: string) => string) => Promise<void>;
  /** Resolves when every connection has a response, with the length of one. */
  readonly answered: () => Promise<number>;
}

/** Connections opened at a time. */
const OPENED_AT_ONCE = 200;

/** Connections to a server on this machine. */
export function holdRequests(port: number, count: number): HeldRequests {
  const sockets: Socket[] = [];
  const bodies: string[] = Array.from({ length: count }, () => '');
  const parts = new Map<number, Buffer>();
  let missing = 0;
  let finish: (() => void) | undefined;
  const open = async (n: number): Promise<Socket> => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    await once(socket, 'connect');
    sockets[n] = socket;
    socket.on('data', (chunk) => {
      const known = parts.get(n);
      const response = known ? Buffer.concat([known, chunk]) : chunk;
      const body = bodyOf(response);
      if (body === undefined) return void parts.set(n, response);
      parts.delete(n);
      bodies[n] = body;
      missing -= 1;
      if (missing === 0) finish?.();
    });
    return socket;
  };
  return {
    ask: async (requestOf) => {
      missing = count;
      for (let from = 0; from < count; from += OPENED_AT_ONCE) {
        const size = Math.min(OPENED_AT_ONCE, count - from);
        const batch = Array.from({ length: size }, async (_, at) => {
          const n = from + at;
          (sockets[n] ?? (await open(n))).write(requestOf(n, bodies[n] ?? ''));
        });
        await Promise.all(batch);
      }
    },
    answered: async () => {
      if (missing > 0) await new Promise<void>((resolve) => (finish = resolve));
      return bodies[0]?.length ?? 0;
    },
    [Symbol.dispose]: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}
