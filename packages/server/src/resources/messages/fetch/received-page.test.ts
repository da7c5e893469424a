import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { startTestChat, type TestChat } from '../../../test-chat.fixture.ts';
import { addChannel } from '../../channels/channels.fixture.ts';

let chat: TestChat;
/** What Cordelia received. */
const ids: number[] = [];
/** More than are looked at next to an anchor, for a page of a few messages. */
const HIDDEN = 300;

beforeAll(async () => {
  chat = await startTestChat();
  const { hamlet, cordelia } = chat.people;
  await addChannel(chat, { name: 'open', subscribers: [hamlet, cordelia] });
  await addChannel(chat, { name: 'council', subscribers: [hamlet] });
  const send = async (to: string) =>
    (await hamlet.client.messages.send({ type: 'channel', to, topic: 'plans', content: 'x' })).id;
  for (let at = 0; at < 3; at++) ids.push(await send('open'));
  const hidden = await send('council');
  await sql`insert into message (realm_id, sender_id, recipient_id, channel_id, topic, content,
      rendered_content, sent_at, client)
    select realm_id, sender_id, recipient_id, channel_id, topic, content, rendered_content, sent_at, client
    from message, generate_series(1, ${HIDDEN}::integer) where id = ${hidden}`.execute(
    chat.server.app.db.kysely,
  );
  for (let at = 0; at < 3; at++) ids.push(await send('open'));
});
afterAll(() => chat[Symbol.asyncDispose]());

test.each([
  ['before it', { anchor: 3, num_before: 2, num_after: 1 }, [1, 2, 3, 4]],
  ['after it', { anchor: 1, num_before: 1, num_after: 3 }, [0, 1, 2, 3, 4]],
  ['on both sides', { anchor: 3, num_before: 9, num_after: 9 }, [0, 1, 2, 3, 4, 5]],
  ['on neither side', { anchor: 4, num_before: 1, num_after: 1 }, [3, 4, 5]],
])(
  'a page has what its reader received, also where messages of others fill the neighbourhood %s',
  async (_where, { anchor, ...size }, expected) => {
    const { client } = chat.people.cordelia;
    const around = { anchor: ids[anchor] ?? 0, ...size };
    const { messages } = await client.messages.fetch(around);
    expect(messages.map(({ id }) => ids.indexOf(id))).toEqual(expected);
    const unread = [{ operator: 'is', operand: 'unread' }];
    const narrowed = await client.messages.fetch({ ...around, narrow: unread });
    expect(narrowed.messages).toEqual(messages);
  },
);
