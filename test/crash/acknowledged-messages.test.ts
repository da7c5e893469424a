import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Client } from '@bellhop/client';
import { expect, test } from 'vitest';
import { z } from 'zod';

import { startServerProcess } from './server-process.ts';

const CYCLES = Number(process.env['BELLHOP_CRASH_CYCLES'] ?? 10);
const WRITERS = 8;
const MessageId = z.object({ message: z.object({ id: z.int() }) });

/** Sends until the server is gone; returns the ids that were acknowledged. */
async function sendUntilGone(client: Client, name: string): Promise<number[]> {
  const acknowledged: number[] = [];
  for (let count = 0; ; count++)
    try {
      const { id } = await client.messages.send({
        type: 'channel',
        to: 'crash',
        topic: name,
        content: `${name} ${count}`,
      });
      acknowledged.push(id);
    } catch {
      return acknowledged;
    }
}

test(`${CYCLES} kills lose no acknowledged message, and the queue has each exactly once`, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'bellhop-crash-'));
  let stop: () => Promise<unknown> = () => Promise.resolve();
  try {
    let server = await startServerProcess(dataDir);
    stop = () => server.stop();
    const { apiKey } = server;
    await server.client.subscriptions.add({ subscriptions: [{ name: 'crash' }] });
    const registered = await server.client.queues.register({ event_types: ['message'] });
    const queue_id = registered.queue_id ?? '';
    let { last_event_id } = registered;
    for (let cycle = 0; cycle < CYCLES; cycle++) {
      const writers = Array.from({ length: WRITERS }, (_, at) =>
        sendUntilGone(server.client, `writer ${at}`),
      );
      await sleep(200 + Math.random() * 600);
      await server.kill();
      const acknowledged = (await Promise.all(writers)).flat().toSorted((a, b) => a - b);
      server = await startServerProcess(dataDir, apiKey);
      const delivered: number[] = [];
      for (;;) {
        const { events } = await server.client.queues.events({
          queue_id,
          last_event_id,
          dont_block: true,
        });
        if (events.length === 0) break;
        delivered.push(...events.map((event) => MessageId.parse(event).message.id));
        last_event_id = events.at(-1)?.id ?? last_event_id;
      }
      expect(acknowledged.length).toBeGreaterThan(0);
      expect(new Set(delivered).size).toBe(delivered.length);
      // A message may be stored although its sender never heard of it; never the other way round.
      expect(acknowledged.filter((id) => !delivered.includes(id))).toEqual([]);
    }
  } finally {
    await stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}, 600_000);
