import type { Api, AskOf } from '@bellhop/protocol';

import type { Person } from '../../testing.ts';

/** An event queue of somebody, for tests. */
export interface Listening {
  readonly queue_id: string;
  /** What has come since the last look, of this type. */
  readonly events: (type: string) => Promise<readonly Record<string, unknown>[]>;
  readonly messages: () => Promise<readonly Record<string, unknown>[]>;
}

export async function listen(
  { client }: Person,
  options: AskOf<Api['queues']['register']> = {},
): Promise<Listening> {
  const { queue_id, last_event_id } = await client.queues.register(options);
  if (queue_id === null) throw new Error('There is no queue');
  let seen = last_event_id;
  const events: Listening['events'] = async (type) => {
    const answer = await client.queues.events({
      queue_id,
      last_event_id: seen,
      dont_block: true,
    });
    seen = answer.events.at(-1)?.id ?? seen;
    return answer.events.filter((event) => event.type === type);
  };
  return { queue_id, events, messages: () => events('message') };
}
