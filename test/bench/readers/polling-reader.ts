import { once } from 'node:events';
import { connect } from 'node:net';

import { createClient } from '@bellhop/client';

import { bodyOf } from '../response.ts';
import type { Person } from '../send/serve.ts';

export interface PollingReader extends Disposable {
  /** The messages that it has received, in the order of their events. */
  readonly ids: readonly number[];
  /** Resolves when the reader has received this many messages since it began. */
  readonly received: (count: number) => Promise<void>;
}

interface PolledQueue {
  readonly port: number;
  /** The headers that log the reader in, each line with its end. */
  readonly headers: string;
  readonly queue_id: string;
  readonly last_event_id: number;
}

/** Registers a queue for the messages of a person at a server, and polls it. */
export async function startReaderOf(
  url: string,
  { email, api_key: apiKey }: Person,
): Promise<PollingReader> {
  const client = createClient({ url, email, apiKey });
  const { queue_id, last_event_id } = await client.queues.register({
    event_types: ['message'],
    fetch_event_types: [],
  });
  const headers = `authorization: Basic ${btoa(`${email}:${apiKey}`)}\r\n`;
  const port = Number(new URL(url).port);
  return startPollingReader({ port, headers, queue_id: queue_id ?? '', last_event_id });
}

interface PolledEvent {
  readonly type: string;
  readonly id: number;
  /** Of an event of the type `message`. */
  readonly message?: { readonly id: number };
}

/** Polls a queue on one connection, again at once after each response, and counts the messages. */
export async function startPollingReader(queue: PolledQueue): Promise<PollingReader> {
  const { port, headers, queue_id } = queue;
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  let last = queue.last_event_id;
  const ids: number[] = [];
  let wanted = Infinity;
  let resolve = () => {};
  const poll = () =>
    socket.write(
      `GET /api/v1/events?queue_id=${queue_id}&last_event_id=${last} HTTP/1.1\r\n` +
        `host: 127.0.0.1\r\n${headers}\r\n`,
    );
  let chunks: Buffer[] = [];
  socket.on('data', (chunk) => {
    chunks.push(chunk);
    const body = bodyOf(Buffer.concat(chunks));
    if (body === undefined) return;
    chunks = [];
    const { events } = JSON.parse(body) as { events: readonly PolledEvent[] };
    last = events.at(-1)?.id ?? last;
    for (const { type, message } of events) if (type === 'message') ids.push(message?.id ?? 0);
    poll();
    if (ids.length >= wanted) resolve();
  });
  poll();
  return {
    ids,
    received: (target) => {
      wanted = target;
      return new Promise<void>((done) => {
        resolve = done;
        if (ids.length >= wanted) done();
      });
    },
    [Symbol.dispose]: () => socket.destroy(),
  };
}
