import type { Api, AskOf } from '@bellhop/protocol';

import type { Person } from '../../test-chat.fixture.ts';

type Events = readonly (Record<string, unknown> & { readonly type: string })[];

/** An event queue. Each call returns the events since the last call. */
export interface TestQueue {
  readonly queue_id: string;
  readonly all: () => Promise<Events>;
  /** Drops events of other types. */
  readonly events: (type: string) => Promise<Events>;
  readonly messages: () => Promise<Events>;
}

/** Registers an event queue. */
export async function listen(
  { client }: Pick<Person, 'client'>,
  options: AskOf<Api['queues']['register']> = {},
): Promise<TestQueue> {
  const { queue_id, last_event_id } = await client.queues.register(options);
  if (queue_id === null) throw new Error('no queue');
  let acknowledged = last_event_id;
  const all = async () => {
    const { events } = await client.queues.events({
      queue_id,
      last_event_id: acknowledged,
      dont_block: true,
    });
    acknowledged = events.at(-1)?.id ?? acknowledged;
    return events;
  };
  const events = async (type: string) => (await all()).filter((event) => event.type === type);
  return { queue_id, all, events, messages: () => events('message') };
}
