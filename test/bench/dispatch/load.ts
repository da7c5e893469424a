import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import type { AppRequest } from './app.ts';
import { isWhole } from './response.ts';

const CONNECTIONS = 50;

export interface Load {
  readonly port: number;
  /** Sent one after the other, over and over. */
  readonly requests: readonly Buffer[];
  /** Where in them to begin. */
  readonly from: number;
  /** It ends when so much time has passed, and so many requests were sent. */
  readonly milliseconds: number;
  readonly atLeast: number;
}

export interface Loaded {
  readonly requests: number;
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p99: number;
}

/**
 * Sends requests on 50 connections, on each the next when the last was answered with 200. It writes
 * bytes that were made before and looks at no more of an answer than its end: a load that costs more
 * than the server is a measure of itself, and no load generator takes a new body per request for so
 * little.
 */
export async function load({ port, requests, from, ...length }: Load): Promise<Loaded> {
  const latencies: number[] = [];
  let next = from;
  const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, () => connected(port)));
  const begun = performance.now();
  const end = begun + length.milliseconds;
  const goesOn = (now: number) => now < end || next - from < length.atLeast;
  const send = (socket: Socket) => socket.write(requests[next++ % requests.length] ?? '');
  const awake = stayAwake();
  await Promise.all(sockets.map((socket) => busy(socket, { send, latencies, goesOn })));
  awake.stop();
  const seconds = (performance.now() - begun) / 1000;
  for (const socket of sockets) socket.destroy();
  latencies.sort((a, b) => a - b);
  const p99 = latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN;
  return { requests: latencies.length, perSecond: latencies.length / seconds, p99 };
}

/**
 * Keeps this process from sleeping between answers. To wake it is work for the server's processor,
 * the more the slower the server is, which is no part of what the server does.
 */
function stayAwake(): { stop: () => void } {
  let stopped = false;
  const spin = () => void (stopped || setImmediate(spin));
  spin();
  return { stop: () => (stopped = true) };
}

async function connected(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  return socket;
}

interface Busy {
  readonly send: (socket: Socket) => void;
  readonly latencies: number[];
  readonly goesOn: (now: number) => boolean;
}

function busy(socket: Socket, { send, latencies, goesOn }: Busy): Promise<void> {
  return new Promise((resolve, reject) => {
    let sent = performance.now();
    let begun: Buffer | undefined;
    socket.on('data', (chunk) => {
      const answer = begun === undefined ? chunk : Buffer.concat([begun, chunk]);
      begun = undefined;
      try {
        if (!isWhole(answer)) {
          begun = answer;
          return;
        }
      } catch (error) {
        reject(error);
        return;
      }
      const now = performance.now();
      latencies.push(now - sent);
      sent = now;
      if (goesOn(now)) send(socket);
      else resolve();
    });
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('The server closed a connection')));
    send(socket);
  });
}

/** A request as it goes over the wire. */
export function wire({ headers, body }: AppRequest): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = `content-length: ${Buffer.byteLength(body)}\r\n`;
  return Buffer.from(`POST / HTTP/1.1\r\nhost: 127.0.0.1\r\n${lines.join('')}${length}\r\n${body}`);
}
