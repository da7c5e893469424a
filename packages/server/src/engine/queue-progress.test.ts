import { expect, test, vi } from 'vitest';

import { startTestChat } from '../test-chat.fixture.ts';
import { QueueProgress } from './queue-progress.ts';

test('a queue is recorded on time although the clock of the machine is set back', async () => {
  await using chat = await startTestChat();
  const { hamlet } = chat.people;
  const { queue_id } = await hamlet.client.queues.register({ fetch_event_types: [] });
  if (queue_id === null) throw new Error('no queue');
  const progress = new QueueProgress(chat.server.app.db.kysely, 0);
  const acknowledged = { queue_id, realm: hamlet.user.realm_id, last_event_id: -1, known_seq: 0 };
  await progress.acknowledge(acknowledged, { acknowledged_id: -1, id_offset: 0, scanned_seq: 0 });
  expect(await progress.record([queue_id])).toEqual([]);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 7_200_000 });
  try {
    expect(progress.isDue(queue_id)).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});
