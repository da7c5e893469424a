import type { RequestListener } from 'node:http';

import { type Listening, listen } from '@bellhop/http';

/** A port that is open before its service exists, so that other services know its address. */
export interface ReservedPort {
  readonly url: string;
  readonly port: number;
  /** Passes requests to a listener. Before this call the response is 503. */
  readonly serve: (listener: RequestListener) => void;
  /** May be called twice. */
  readonly stop: Listening['stop'];
}

/** Opens a port of this machine; 0 is any free one. Rejects with PortTaken. */
export async function reservePort(port: number): Promise<ReservedPort> {
  let current: RequestListener = (_request, response) => response.writeHead(503).end();
  const { url, stop, ...listening } = await listen(
    (request, response) => current(request, response),
    { port },
  );
  return { url, port: listening.port, stop, serve: (listener) => (current = listener) };
}
