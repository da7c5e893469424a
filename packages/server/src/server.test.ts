import { expect, test } from 'vitest';

import { startTestChat } from './test-chat.fixture.ts';

test('a direct message reaches the queue of its recipient', async () => {
  await using chat = await startTestChat();
  const { hamlet, cordelia } = chat.people;
  const { queue_id, last_event_id } = await cordelia.client.queues.register({
    apply_markdown: true,
  });
  if (queue_id === null) throw new Error('no queue');
  const poll = cordelia.client.queues.events({ queue_id, last_event_id });
  const { id } = await hamlet.client.messages.send({
    type: 'direct',
    to: [cordelia.user.id],
    content: 'good **morning**',
  });
  const { events } = await poll;
  expect(events).toHaveLength(1);
  expect(events[0]).toMatchObject({
    type: 'message',
    flags: [],
    message: { id, content: '<p>good <strong>morning</strong></p>', sender_full_name: 'Hamlet' },
  });
});
