import type { Client } from '@bellhop/client';
import { z } from 'zod';

import { CHANNEL } from './message-writers.fixture.ts';

const MessageEvent = z.object({ message: z.object({ id: z.int(), content: z.string() }) });

/** Subscribes to the channel `crash` and registers a queue for its messages. */
export async function readChannel(client: Client) {
  await client.subscriptions.add({ subscriptions: [{ name: CHANNEL }] });
  const { queue_id, last_event_id } = await client.queues.register({ event_types: ['message'] });
  if (queue_id === null) throw new Error('The server registered no queue');
  let last = last_event_id;
  return {
    /** The ids of the messages in the queue since the last call, as this client gets them. */
    async delivered(from: Client): Promise<number[]> {
      const ids: number[] = [];
      for (;;) {
        const poll = { queue_id, last_event_id: last, dont_block: true };
        const { events } = await from.queues.events(poll, { retryPolicy: {} });
        if (events.length === 0) return ids;
        ids.push(...events.map((event) => MessageEvent.parse(event).message.id));
        last = events.at(-1)?.id ?? last;
      }
    },
  };
}
