import type { ContractFixture } from '../../contract.fixture.ts';
import type { TestChat } from '../../test-chat.fixture.ts';

const UNKNOWN = '00000000-0000-0000-0000-000000000000';

async function queueOf({ people: { desdemona } }: TestChat) {
  const { queue_id, last_event_id } = await desdemona.client.queues.register({
    event_types: ['message'],
    fetch_event_types: [],
  });
  if (queue_id === null) throw new Error('no queue');
  return { queue_id, last_event_id: String(last_event_id) };
}

export const fixture: ContractFixture = {
  samples: { 'GET /events': async (chat) => ({ ...(await queueOf(chat)), dont_block: 'true' }) },
  parameters: { queue_id: async (chat) => (await queueOf(chat)).queue_id },
  declared: {
    'GET /events BAD_EVENT_QUEUE_ID': ({ chat }) =>
      chat.people.hamlet.client.queues.events({ queue_id: UNKNOWN, last_event_id: 0 }),
    'DELETE /events BAD_EVENT_QUEUE_ID': ({ chat }) =>
      chat.people.hamlet.client.queues.remove({ queue_id: UNKNOWN }),
  },
};
