import type { MessageId } from '@bellhop/protocol';
import { expect, test } from 'vitest';

import { expectRefused } from '../../../expect-refused.fixture.ts';
import { addChannel } from '../../../resources/channels/channels.fixture.ts';
import { resetRealmSettings } from '../../../resources/realms/realm-settings.fixture.ts';
import { startTestChat } from '../../../test-chat.fixture.ts';

test('a topic that is moved to another channel and resolved has only the time limit of the channel', async () => {
  let now = 1_800_000_000;
  await using chat = await startTestChat({ now: () => now });
  const { hamlet } = chat.people;
  await addChannel(chat, { name: 'Denmark', subscribers: [hamlet] });
  const away = await addChannel(chat, { name: 'England', subscribers: [hamlet] });
  await resetRealmSettings(chat, {
    move_messages_between_streams_limit_seconds: 600,
    move_messages_within_stream_limit_seconds: 60,
  });
  const send = async (topic: string) =>
    (await hamlet.client.messages.send({ type: 'channel', to: 'Denmark', topic, content: 'x' })).id;
  const resolveAway = (id: MessageId, topic: string) =>
    chat.ask(hamlet, `PATCH /messages/${id}`, {
      stream_id: String(away),
      topic: `\u2714 ${topic}`,
      propagate_mode: 'change_all',
    });
  await send('late');
  now += 300;
  await send('early');
  now += 321;
  const late = await send('late');
  expect(
    await expectRefused(resolveAway(late, 'late'), 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED'),
  ).toMatchObject({ first_message_id_allowed_to_move: late, total_messages_in_topic: 2 });
  expect((await resolveAway(await send('early'), 'early')).body).toMatchObject({
    result: 'success',
  });
});
