import { expect, test } from 'vitest';

import { type Person, startTestChat } from '../../testing.ts';

/** What a new queue of this person holds after `act`. */
async function heard(person: Person, act: () => Promise<unknown>, options: object = {}) {
  const { queue_id, last_event_id } = await person.client.queues.register({
    event_types: ['stream', 'subscription'],
    client_capabilities: { notification_settings_null: true },
    ...options,
  });
  if (queue_id === null) throw new Error('no queue');
  await act();
  const { events } = await person.client.queues.events({
    queue_id,
    last_event_id,
    dont_block: true,
  });
  return events.map(({ id: _id, ...event }) => event);
}

test('a new public channel: who hears what', async () => {
  await using chat = await startTestChat();
  const { hamlet, cordelia } = chat.people;
  const events = await heard(
    hamlet,
    async () => {
      const answer = await hamlet.client.subscriptions.add({
        subscriptions: [{ name: ' Verona ', description: 'a **city**\nin Italy' }],
        principals: [hamlet.user.id, cordelia.user.id],
      });
      expect(answer).toMatchObject({
        subscribed: { [hamlet.user.id]: ['Verona'], [cordelia.user.id]: ['Verona'] },
        already_subscribed: {},
        new_subscription_messages_sent: true,
      });
    },
    { include_subscribers: true },
  );
  expect(events).toMatchObject([
    { type: 'stream', op: 'create', streams: [{ name: 'Verona', subscriber_count: 2 }] },
    {
      type: 'subscription',
      op: 'add',
      subscriptions: [{ name: 'Verona', subscribers: [hamlet.user.id, cordelia.user.id] }],
    },
    { type: 'stream', op: 'update', property: 'first_message_id' },
  ]);
});
