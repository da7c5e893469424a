import { sql } from 'kysely';
import { expect, test } from 'vitest';

import { addChannel } from '../../../resources/channels/channels.fixture.ts';
import { type Person, startTestChat } from '../../../test-chat.fixture.ts';

const newestOf = async ({ client }: Person) => (await client.users.me({})).max_message_id;

test('max_message_id is the newest message that a person received, however many others received since', async () => {
  await using chat = await startTestChat();
  const { hamlet, cordelia } = chat.people;
  await addChannel(chat, { name: 'open', subscribers: [hamlet, cordelia] });
  await addChannel(chat, { name: 'council', subscribers: [hamlet] });
  const send = async (to: string) =>
    (await hamlet.client.messages.send({ type: 'channel', to, topic: 'plans', content: 'x' })).id;
  const hidden = await send('council');
  expect(await newestOf(cordelia)).toBe(-1);
  const received = await send('open');
  const later = await send('council');
  expect(await newestOf(cordelia)).toBe(received);
  await sql`insert into message (realm_id, sender_id, recipient_id, channel_id, topic, content,
      rendered_content, sent_at, client)
    select realm_id, sender_id, recipient_id, channel_id, topic, content, rendered_content, sent_at, client
    from message, generate_series(1, 300) where id = ${hidden}`.execute(chat.server.app.db.kysely);
  expect(await newestOf(cordelia)).toBe(received);
  expect(await newestOf(hamlet)).toBe(later + 300);
  const to = [cordelia.user.id];
  const { id } = await hamlet.client.messages.send({ type: 'direct', to, content: 'x' });
  expect(await newestOf(cordelia)).toBe(id);
});
