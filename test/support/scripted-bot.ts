import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}
export type Script = string | ((response: ServerResponse, turn: number) => void);

/** A webhook endpoint on loopback: responds as `answers` has set, with `{}` at first, and records requests. */
export async function startScriptedBot() {
  const received: Received[] = [];
  let script: Script = '{}';
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      if (typeof script === 'string') response.end(script);
      else script(response, received.length);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    received,
    answers: (with_: Script) => {
      script = with_;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
export type ScriptedBot = Awaited<ReturnType<typeof startScriptedBot>>;

/** Responds with a status. */
export const status =
  (code: number, body = '', headers: Record<string, string> = {}): Script =>
  (response) => {
    response.writeHead(code, headers).end(body);
  };
