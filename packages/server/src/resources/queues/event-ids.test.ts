import { expect, test } from 'vitest';

import { startTestChat } from '../../test-chat.fixture.ts';

test('the IDs of a queue begin at -1 and fit 32 bits, however many events there were before it', async () => {
  await using chat = await startTestChat();
  await chat.server.app.db.kysely.updateTable('event_counter').set({ last_seq: 1e9 }).execute();
  const { client, user } = chat.people.cordelia;
  const { queue_id, last_event_id } = await client.queues.register({ event_types: ['message'] });
  expect(last_event_id).toBe(-1);
  for (const content of ['one', 'two'])
    await client.messages.send({ type: 'direct', to: [user.id], content });
  const eventsAfter = async (id: number) => {
    const poll = { queue_id: queue_id ?? '', last_event_id: id, dont_block: true };
    return (await client.queues.events(poll)).events;
  };
  const [one, two] = await eventsAfter(last_event_id);
  expect(two).toMatchObject({ type: 'message', message: { content: 'two' } });
  expect(two?.id).toBeLessThan(2 ** 31);
  expect(await eventsAfter(one?.id ?? 0)).toEqual([two]);
  expect(await eventsAfter(two?.id ?? 0)).toEqual([]);
});
