import type { Client } from '@bellhop/client';
import type { QueuedEvent } from '@bellhop/protocol';

export const capabilities = { notification_settings_null: false, empty_topic_name: true };

/** Registers an event queue. */
export async function listening(
  client: Client,
  options: Parameters<Client['queues']['register']>[0],
) {
  const asked = { client_capabilities: capabilities, ...options };
  const { queue_id, last_event_id } = await client.queues.register(asked);
  if (queue_id === null) throw new Error('no queue');
  let last = last_event_id;
  return {
    queue_id,
    /** Waits for one event, other than a heartbeat. */
    async nextOne(): Promise<QueuedEvent> {
      for (;;) {
        const answer = await client.queues.events({ queue_id, last_event_id: last });
        const first = answer.events.find(({ type }) => type !== 'heartbeat');
        if (!first) continue;
        last = first.id;
        return first as unknown as QueuedEvent;
      }
    },
    /** Waits for at least `count` events. */
    async next(count: number): Promise<QueuedEvent[]> {
      const events: QueuedEvent[] = [];
      while (events.length < count) {
        const answer = await client.queues.events({ queue_id, last_event_id: last });
        events.push(...(answer.events as unknown as QueuedEvent[]));
        last = events.at(-1)?.id ?? last;
      }
      return events;
    },
    /** The events so far, without waiting; the next call returns them again. */
    waiting: () => client.queues.events({ queue_id, last_event_id: last, dont_block: true }),
  };
}

/** Code, status and names of the extra keys of an error, or 'accepted'. */
export const refused = (asked: Promise<unknown>) =>
  asked.then(
    () => 'accepted',
    (error: { code: string; status: number; data: object }) => ({
      code: error.code,
      status: error.status,
      keys: Object.keys(error.data).toSorted(),
    }),
  );
export const badRequest = { code: 'BAD_REQUEST', status: 400 };
