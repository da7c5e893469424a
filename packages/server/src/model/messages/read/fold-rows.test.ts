import type { MessageId } from '@bellhop/protocol';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { addChannel } from '../../../resources/channels/channels.fixture.ts';
import { type Person, startTestChat, type TestChat } from '../../../test-chat.fixture.ts';
import { receiveFromNowOn } from '../../channels/subscribe/subscribers.ts';
import { foldRows } from './fold-rows.ts';
import { receiversOf } from './received.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startTestChat();
});
afterAll(() => chat[Symbol.asyncDispose]());

const send = async (to: string, topic: string, content = 'x') =>
  (await chat.people.hamlet.client.messages.send({ type: 'channel', to, topic, content })).id;

/** What each person has, with which flags. */
async function received() {
  const { rows } = await sql<{ user_id: number; message_id: number; flags: number }>`
    select * from ${receiversOf(chat.realm.id, sql`> 0`)} r order by user_id, message_id`.execute(
    chat.server.app.db.kysely,
  );
  return rows;
}
const countRows = async () => {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count
    from user_message`.execute(chat.server.app.db.kysely);
  return rows[0]?.count ?? 0;
};
const seenBy = async ({ client }: Person) => {
  const { unread_msgs } = await client.queues.register();
  const { messages } = await client.messages.fetch({ anchor: 'newest', num_before: 1000 });
  return { unread_msgs, flags: messages.map(({ id, flags }) => [id, flags]) };
};

/** Gives everybody a row for each message, as versions before did and imports do. */
const asBefore = () =>
  chat.server.app.db.transaction(async (tx) => {
    await sql`insert into user_message (realm_id, user_id, message_id, flags)
      select ${chat.realm.id}, * from ${receiversOf(chat.realm.id, sql`> 0`)} r
      on conflict do nothing`.execute(tx);
    await sql`delete from user_message where flags & 512 <> 0`.execute(tx);
    await receiveFromNowOn(tx, chat.realm.id);
  });

test('rows of received messages are folded, and everybody has the same messages and flags', async () => {
  const { hamlet, cordelia, iago } = chat.people;
  const denmark = await addChannel(chat, { name: 'Denmark', subscribers: [hamlet, cordelia] });
  await addChannel(chat, { name: 'Rome', subscribers: [hamlet, iago], invite_only: true });
  const ids: MessageId[] = [];
  for (let at = 0; at < 30; at++) {
    ids.push(
      await send(at % 3 === 0 ? 'Rome' : 'Denmark', `topic ${at % 4}`, at === 9 ? '@**all**' : 'x'),
    );
    if (at === 12) await iago.client.subscriptions.add({ subscriptions: [{ name: 'Denmark' }] });
    if (at === 18) await cordelia.client.subscriptions.remove({ subscriptions: ['Denmark'] });
    if (at === 24)
      await cordelia.client.subscriptions.add({ subscriptions: [{ name: 'Denmark' }] });
  }
  const setFlag = cordelia.client.messages.setFlag.bind(cordelia.client.messages);
  await setFlag({ op: 'add', flag: 'read', messages: ids.filter((_id, at) => at % 3 === 1) });
  await setFlag({ op: 'add', flag: 'starred', messages: [ids[1] ?? 0] });
  await iago.client.messages.edit({
    message_id: ids[3] ?? 0,
    stream_id: denmark,
    propagate_mode: 'change_all',
    send_notification_to_new_thread: false,
    send_notification_to_old_thread: false,
  });
  for (const { client } of [hamlet, iago]) await client.messages.markAllAsRead();
  const people = [hamlet, cordelia, iago];
  const before = await received();
  const seen = await Promise.all(people.map(seenBy));
  await asBefore();
  expect(await received()).toEqual(before);
  const rowsBefore = await countRows();
  const { db } = chat.server.app;
  while ((await db.transaction((tx) => foldRows(tx, chat.realm.id))) !== undefined);
  expect(await countRows()).toBeLessThan(rowsBefore / 2);
  expect(await received()).toEqual(before);
  expect(await Promise.all(people.map(seenBy))).toEqual(seen);
  // Later messages are received and read as before the rows were folded.
  const [after] = [await send('Denmark', 'later')];
  await setFlag({ op: 'add', flag: 'read', messages: [after] });
  expect(await received()).toEqual(
    expect.arrayContaining([
      { user_id: cordelia.user.id, message_id: after, flags: 1 },
      { user_id: iago.user.id, message_id: after, flags: 0 },
    ]),
  );
});
