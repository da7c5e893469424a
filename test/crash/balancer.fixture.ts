import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Balancer extends AsyncDisposable {
  readonly url: string;
}

/** The part of the requests that each fault hits. */
const FAULTY = 0.08;
const SLOW_MS = 1500;

/**
 * Hands each request to one of several ports on loopback, in turns; breaks it if nobody listens there.
 * Now and then it loses an answer, hands a request to the next port too, or waits before it hands it on:
 * `random` decides.
 */
export async function startBalancer(
  ports: () => readonly number[],
  random: () => number,
): Promise<Balancer> {
  let turn = 0;
  const next = () => {
    const all = ports();
    return all[turn++ % all.length];
  };
  const happens = () => random() < FAULTY;

  async function forward(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = await incoming.toArray();
    if (happens()) await sleep(SLOW_MS);
    const call = { incoming, body: Buffer.concat(chunks) };
    // The answer to a duplicate reaches nobody, as that to an attempt which the server has given up.
    if (happens()) send(next(), call).resume();
    const isLost = happens();
    const outgoing = send(next(), call);
    response.on('close', () => outgoing.request.destroy());
    outgoing.request.on('error', () => response.destroy());
    outgoing.request.on('response', (answer) => {
      if (isLost) return response.destroy();
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
      answer.on('error', () => response.destroy());
    });
  }

  const server = createServer((incoming, response) => {
    forward(incoming, response).catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

interface Call {
  readonly incoming: IncomingMessage;
  readonly body: Buffer;
}

function send(port: number | undefined, { incoming, body }: Call) {
  const { method, url: path, headers } = incoming;
  const outgoing = request({ port, method, path, headers, agent: false });
  outgoing.on('error', () => {});
  outgoing.end(body);
  return {
    request: outgoing,
    /** Reads the answer and throws it away. */
    resume: () => outgoing.on('response', (answer) => answer.on('error', () => {}).resume()),
  };
}
