import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { expectRefused } from '../../../expect-refused.fixture.ts';
import { type Person, startTestChat, type TestChat } from '../../../test-chat.fixture.ts';
import { addChannel } from '../../channels/channels.fixture.ts';
import { resetRealmSettings } from '../../realms/realm-settings.fixture.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startTestChat();
  const { hamlet, cordelia, iago, polonius } = chat.people;
  await addChannel(chat, { name: 'denmark', subscribers: [hamlet, cordelia, iago, polonius] });
  await addChannel(chat, { name: 'council', subscribers: [hamlet, iago], invite_only: true });
});
beforeEach(() => resetRealmSettings(chat, {}));
afterAll(() => chat[Symbol.asyncDispose]());

const send = async (to = 'denmark') =>
  (
    await chat.people.hamlet.client.messages.send({
      type: 'channel',
      to,
      topic: 'news',
      content: 'x',
      read_by_sender: true,
    })
  ).id;
const read = ({ client }: Person, id: Awaited<ReturnType<typeof send>>) =>
  client.messages.setFlag({ messages: [id], op: 'add', flag: 'read' });
const setUser = ({ user }: Person, values: { settings?: string; is_active?: boolean }) =>
  chat.server.app.db.kysely
    .updateTable('realm_user')
    .set(values)
    .where('id', '=', user.id)
    .execute();

describe('GET /messages/{id}/read_receipts', () => {
  test('lists the users who have read the message, without the sender', async () => {
    const { hamlet, cordelia, iago } = chat.people;
    const id = await send();
    const receipts = () => hamlet.client.messages.readReceipts({ message_id: id });
    expect(await receipts()).toEqual({ user_ids: [] });
    await read(cordelia, id);
    await read(iago, id);
    const user_ids = [iago.user.id, cordelia.user.id].toSorted((a, b) => a - b);
    expect(await receipts()).toEqual({ user_ids });
  });

  test('leaves out users without send_read_receipts and deactivated users', async () => {
    const { hamlet, cordelia, iago } = chat.people;
    const id = await send();
    await read(cordelia, id);
    await read(iago, id);
    await setUser(cordelia, { settings: JSON.stringify({ send_read_receipts: false }) });
    await setUser(iago, { is_active: false });
    try {
      expect(await hamlet.client.messages.readReceipts({ message_id: id })).toEqual({
        user_ids: [],
      });
    } finally {
      await setUser(cordelia, { settings: '{}' });
      await setUser(iago, { is_active: true });
    }
  });

  test('leaves out users whom the caller has muted, and users who have muted the caller', async () => {
    const { hamlet, cordelia, iago } = chat.people;
    const id = await send();
    await read(cordelia, id);
    await read(iago, id);
    await hamlet.client.mutedUsers.add({ user_id: cordelia.user.id });
    await iago.client.mutedUsers.add({ user_id: hamlet.user.id });
    try {
      expect(await hamlet.client.messages.readReceipts({ message_id: id })).toEqual({
        user_ids: [],
      });
    } finally {
      await hamlet.client.mutedUsers.remove({ user_id: cordelia.user.id });
      await iago.client.mutedUsers.remove({ user_id: hamlet.user.id });
    }
  });

  test('a guest who may not see a reader does not get their id', async () => {
    const { polonius } = chat.people;
    const members = { can_access_all_users_group: 'role:members' } as const;
    await resetRealmSettings(chat, {}, members);
    const stranger = await chat.addPerson('stranger');
    const id = await send();
    await read(chat.people.cordelia, id);
    await chat.server.app.db.kysely
      .insertInto('user_message')
      .values({
        realm_id: chat.realm.id,
        user_id: stranger.user.id,
        message_id: id,
        flags: 1,
      })
      .execute();
    const { user_ids } = await polonius.client.messages.readReceipts({ message_id: id });
    expect(user_ids).toEqual([chat.people.cordelia.user.id]);
  });

  test('is refused where the organization switched read receipts off', async () => {
    const id = await send();
    await resetRealmSettings(chat, { enable_read_receipts: false });
    const { msg } = await expectRefused(
      chat.ask(chat.people.hamlet, `GET /messages/${id}/read_receipts`),
      'BAD_REQUEST',
    );
    expect(msg).toBe('Read receipts are disabled in this organization.');
  });

  test('a message that is missing or hidden is refused with the same error', async () => {
    for (const id of [await send('council'), 999_999]) {
      const asked = chat.ask(chat.people.cordelia, `GET /messages/${id}/read_receipts`);
      expect((await expectRefused(asked, 'BAD_REQUEST'))['msg']).toBe('Invalid message(s)');
    }
  });
});
