import type { RequestListener } from 'node:http';

import { type Listening, listen } from '@bellhop/http';

/** A port taken before there is anything to serve on it, so that its address is known. */
export interface Door {
  readonly url: string;
  readonly port: number;
  /** What answers from now on; before that everything is answered 503. */
  readonly serve: (listener: RequestListener) => void;
  /** May be called twice. */
  readonly stop: Listening['stop'];
}

/** Takes a port of this machine; 0 is any free one. */
export async function openDoor(port: number): Promise<Door> {
  let current: RequestListener = (_request, response) => response.writeHead(503).end();
  const { url, stop, ...listening } = await listen(
    (request, response) => current(request, response),
    { port },
  );
  return { url, port: listening.port, stop, serve: (listener) => (current = listener) };
}
