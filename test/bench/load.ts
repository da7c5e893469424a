import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import { bodyOf } from './response.ts';

const DEFAULT_CONNECTIONS = 50;

export interface Load {
  readonly port: number;
  /** Whole HTTP requests, sent one after the other, over and over. */
  readonly requests: readonly Buffer[];
  /** Index of the first request to send. */
  readonly from: number;
  /** The load ends when this time has passed and `atLeast` requests were sent. */
  readonly milliseconds: number;
  readonly atLeast: number;
  /** Default 50. */
  readonly connections?: number;
  /**
   * Keeps the load generator's processor awake between responses, for servers pinned to another one:
   * waking it up is work for the server's processor, more of it the slower the server is.
   */
  readonly spin?: boolean;
  /** Called with the index of the request and the body of its response. */
  readonly onResponse?: (index: number, body: string) => void;
}

export interface LoadResult {
  readonly requests: number;
  readonly perSecond: number;
  /** Milliseconds from each request to its response. */
  readonly latencies: readonly number[];
}

/**
 * Sends requests on some connections, on each the next one after a response with status 200. It writes
 * prepared bytes and parses nothing of a response but its end: no load generator takes a new body per
 * request as cheaply, and one that costs more than the server measures itself.
 */
export async function load(options: Load): Promise<LoadResult> {
  const { port, requests, from, milliseconds, atLeast, spin = false } = options;
  const length = options.connections ?? DEFAULT_CONNECTIONS;
  const latencies: number[] = [];
  const sockets = await Promise.all(Array.from({ length }, () => connected(port)));
  const begun = performance.now();
  let next = from;
  using _awake = spin ? stayAwake() : undefined;
  const run: Run = {
    take: () => next++ % requests.length,
    request: (index) => requests[index] ?? Buffer.alloc(0),
    isOver: (now) => now >= begun + milliseconds && next - from >= atLeast,
    done: (index, { latency, body }) => {
      latencies.push(latency);
      options.onResponse?.(index, body);
    },
  };
  await Promise.all(sockets.map((socket) => sendRequests(socket, run)));
  const seconds = (performance.now() - begun) / 1000;
  for (const socket of sockets) socket.destroy();
  return { requests: latencies.length, perSecond: latencies.length / seconds, latencies };
}

function stayAwake(): Disposable {
  let stopped = false;
  const spin = () => void (stopped || setImmediate(spin));
  spin();
  return { [Symbol.dispose]: () => void (stopped = true) };
}

async function connected(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  return socket;
}

interface Run {
  /** Index of the next request. */
  readonly take: () => number;
  readonly request: (index: number) => Buffer;
  readonly isOver: (now: number) => boolean;
  readonly done: (index: number, response: { latency: number; body: string }) => void;
}

/** Sends one request after the other on one connection, until the run is over. */
function sendRequests(socket: Socket, { take, request, isOver, done }: Run): Promise<void> {
  return new Promise((resolve, reject) => {
    let sent = 0;
    let index = 0;
    let received: Buffer | undefined;
    const send = () => {
      index = take();
      sent = performance.now();
      socket.write(request(index));
    };
    const receive = (chunk: Buffer) => {
      const response = received === undefined ? chunk : Buffer.concat([received, chunk]);
      const body = bodyOf(response);
      received = body === undefined ? response : undefined;
      if (body === undefined) return;
      const now = performance.now();
      done(index, { latency: now - sent, body });
      if (isOver(now)) resolve();
      else send();
    };
    socket.on('data', (chunk) => {
      try {
        receive(chunk);
      } catch (error) {
        reject(error);
      }
    });
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('The server closed a connection')));
    send();
  });
}

export interface HttpRequest {
  /** Default POST. */
  readonly method?: 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A request as HTTP/1.1 bytes. */
export function requestBytes({ method = 'POST', path, headers, body }: HttpRequest): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = `content-length: ${Buffer.byteLength(body)}\r\n`;
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${lines.join('')}${length}\r\n${body}`,
  );
}
