import type { ContractFixture } from '../../contract.fixture.ts';
import type { Person } from '../../test-chat.fixture.ts';

const UNKNOWN = '00000000-0000-0000-0000-000000000000';

async function queueOf({ client }: Person) {
  const { queue_id, last_event_id } = await client.queues.register({
    event_types: ['message'],
    fetch_event_types: [],
  });
  if (queue_id === null) throw new Error('no queue');
  return { queue_id, last_event_id: String(last_event_id) };
}

export const fixture: ContractFixture = {
  samples: {
    'GET /events': async (_chat, caller) => ({ ...(await queueOf(caller)), dont_block: 'true' }),
  },
  parameters: { queue_id: async (_chat, caller) => (await queueOf(caller)).queue_id },
  spectators: { 'POST /register': () => ({}) },
  declared: {
    'GET /events BAD_EVENT_QUEUE_ID': ({ chat }) =>
      chat.people.hamlet.client.queues.events({ queue_id: UNKNOWN, last_event_id: 0 }),
    'DELETE /events BAD_EVENT_QUEUE_ID': ({ chat }) =>
      chat.people.hamlet.client.queues.remove({ queue_id: UNKNOWN }),
  },
};
