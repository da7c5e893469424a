import type { Client } from '@bellhop/client';
import type { QueuedEvent } from '@bellhop/protocol';

export const capabilities = { notification_settings_null: false, empty_topic_name: true };

/** Registers an event queue and reads it. */
export async function registerQueue(
  client: Client,
  options: Parameters<Client['queues']['register']>[0],
) {
  const { queue_id, last_event_id } = await client.queues.register({
    client_capabilities: capabilities,
    ...options,
  });
  if (queue_id === null) throw new Error('The server registered no queue');
  let last = last_event_id;
  return {
    queue_id,
    /** Waits for one event, other than a heartbeat. */
    async nextEvent(): Promise<QueuedEvent> {
      for (;;) {
        const { events } = await client.queues.events({ queue_id, last_event_id: last });
        const first = events.find(({ type }) => type !== 'heartbeat');
        if (!first) continue;
        last = first.id;
        return first as unknown as QueuedEvent;
      }
    },
    /** Waits for at least `count` events. */
    async nextEvents(count: number): Promise<QueuedEvent[]> {
      const collected: QueuedEvent[] = [];
      while (collected.length < count) {
        const { events } = await client.queues.events({ queue_id, last_event_id: last });
        collected.push(...(events as unknown as QueuedEvent[]));
        last = collected.at(-1)?.id ?? last;
      }
      return collected;
    },
    /** Returns the unread events without waiting; the next call returns them again. */
    async unread() {
      const poll = { queue_id, last_event_id: last, dont_block: true };
      return (await client.queues.events(poll)).events;
    },
  };
}
