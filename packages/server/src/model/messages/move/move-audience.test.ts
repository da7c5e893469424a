import { expect, test } from 'vitest';

import { addChannel, groupOf, subscribe } from '../../../resources/channels/channels.fixture.ts';
import { listen } from '../../../resources/queues/listen.fixture.ts';
import { startTestChat } from '../../../test-chat.fixture.ts';

test('of messages moved to a channel without shared history, readers who are not subscribed to it keep those that they received and lose the others', async () => {
  await using chat = await startTestChat();
  const { hamlet, cordelia, shiva, iago } = chat.people;
  const from = await addChannel(chat, { name: 'Denmark', subscribers: [hamlet] });
  const to = await addChannel(chat, {
    name: 'Elsinore',
    subscribers: [hamlet],
    invite_only: true,
    history_public_to_subscribers: false,
    can_subscribe_group: await groupOf(chat, cordelia, shiva),
  });
  const send = async () =>
    (await hamlet.client.messages.send({ type: 'channel', to: from, topic: 'x', content: 'x' })).id;
  const one = await send();
  for (const { user } of [cordelia, shiva, iago]) await subscribe(chat, from, user.id);
  const two = await send();
  const asked = { client_capabilities: { bulk_message_deletion: true } };
  const queues = await Promise.all([
    listen(hamlet, asked),
    listen(cordelia, asked),
    listen(shiva, { ...asked, all_public_streams: true }),
    listen(iago, asked),
  ]);
  await hamlet.client.messages.edit({
    message_id: one,
    stream_id: to,
    propagate_mode: 'change_all',
    send_notification_to_new_thread: false,
  });
  const told = await Promise.all(
    queues.map(async (queue) => {
      const events = await queue.all();
      const idsIn = (name: string) =>
        events.filter(({ type }) => type === name).map((event) => event['message_ids']);
      return { moved: idsIn('update_message'), deleted: idsIn('delete_message') };
    }),
  );
  const part = { moved: [[two]], deleted: [[one]] };
  expect(told).toEqual([
    { moved: [[one, two]], deleted: [] },
    part,
    part,
    { moved: [], deleted: [[one, two]] },
  ]);
  const { messages } = await cordelia.client.messages.fetch({ message_ids: [one, two] });
  expect(messages.map(({ id }) => id)).toEqual([two]);
});
