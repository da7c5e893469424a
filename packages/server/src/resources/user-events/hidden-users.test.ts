import type { MessageId } from '@bellhop/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type Person, startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { addChannel } from '../channels/channels.fixture.ts';
import { setRealmGroup } from '../channels/subscribe/subscribing.fixture.ts';
import { listen } from '../queues/listen.fixture.ts';

const MISSING = 999_999;

let chat: TestChat;
let guest: Person;
/** A member whom the guest may not see. */
let stranger: Person;
/** A deactivated member whom the guest may not see. */
let gone: Person;
/** A member who shares a channel with the guest. */
let friend: Person;
let square: number;

beforeAll(async () => {
  chat = await startTestChat();
  guest = chat.people.polonius;
  stranger = chat.people.cordelia;
  friend = chat.people.hamlet;
  gone = await chat.addPerson('yorick');
  await chat.server.app.db.kysely
    .updateTable('realm_user')
    .set({ is_active: false })
    .where('id', '=', gone.user.id)
    .execute();
  square = await addChannel(chat, { name: 'square', subscribers: [guest, friend] });
  await setRealmGroup(chat, 'can_access_all_users_group', 'role:members');
});
afterAll(() => chat[Symbol.asyncDispose]());

/** The status and body of a response about each of two users, with the user's id and name blanked out. */
async function expectAlike(responseAbout: (id: number, email: string) => Promise<object>) {
  const blank = (response: object, id: number, email: string) =>
    JSON.stringify(response).replaceAll(String(id), 'ID').replaceAll(email, 'EMAIL');
  const email = 'nobody@chat.test';
  const expected = blank(await responseAbout(MISSING, email), MISSING, email);
  for (const { user, email: address } of [stranger, gone])
    expect(blank(await responseAbout(user.id, address), user.id, address)).toBe(expected);
}
const ask = async (route: string, fields: Record<string, string> = {}) => {
  const { status, body } = await chat.ask(guest, route, fields);
  return { status, body };
};
const narrowed = (operator: string, operand: unknown) =>
  ask('GET /messages', {
    anchor: 'newest',
    num_before: '10',
    narrow: JSON.stringify([{ operator, operand }]),
  });

describe('a user whom a guest may not see is answered like one who does not exist', () => {
  test('in a direct message, by id and by address', async () => {
    const send = (to: string) => ask('POST /messages', { type: 'direct', to, content: 'hello' });
    await expectAlike((id) => send(`[${id}]`));
    await expectAlike((id) => send(`[${id},${friend.user.id}]`));
    await expectAlike((_id, email) => send(email));
    await expectAlike((id) => send(`user${id}@chat.test`));
  });

  test('in typing, which shows no address', async () => {
    const own = await listen(guest);
    await expectAlike((id) => ask('POST /typing', { op: 'start', to: `[${id}]` }));
    expect(await own.events('typing')).toEqual([]);
  });

  test('in the terms of a narrow', async () => {
    for (const operator of ['sender', 'dm-including', 'group-pm-with'])
      await expectAlike((id) => narrowed(operator, id));
    await expectAlike((id) => narrowed('dm', [id]));
    await expectAlike((_id, email) => narrowed('sender', email));
  });

  test('in GET /users/{id}, by id and by address', async () => {
    await expectAlike((id) => ask(`GET /users/${id}`));
    await expectAlike((id) => ask(`GET /users/user${id}@chat.test`));
    await expectAlike((_id, email) => ask(`GET /users/${email}`));
  });

  test('in a mention, which stays text', async () => {
    const rendered = async (content: string) => {
      const { body } = await ask('POST /messages', {
        type: 'channel',
        to: 'square',
        topic: 'x',
        content,
      });
      const message_id = body['id'] as MessageId;
      return (await guest.client.messages.fetchOne({ message_id })).message.content;
    };
    for (const { id, full_name } of [stranger.user, gone.user])
      for (const mention of [`@**${full_name}**`, `@**${full_name}|${id}**`, `@_**|${id}**`])
        expect(await rendered(mention)).not.toMatch(/user-mention|user_id/);
    expect(await rendered(`@**|${stranger.user.id}**`)).not.toContain('Cordelia');
    expect(await rendered(`@**|${friend.user.id}**`)).toContain('@Hamlet');
  });
});

describe('a guest who may not see all users', () => {
  const names = ['Cordelia', 'cordelia@', 'Yorick', 'yorick@'];
  const expectNoStranger = (answer: object) => {
    for (const name of names) expect(JSON.stringify(answer)).not.toContain(name);
  };

  test('gets users and members of groups only of shared channels and conversations', async () => {
    const state = await guest.client.queues.register({
      include_subscribers: true,
      client_capabilities: { user_list_incomplete: true },
    });
    expectNoStranger(state);
    const listed = (state.realm_users ?? []).map(({ user_id }) => user_id);
    expect(listed).toEqual([friend.user.id, guest.user.id]);
    expect(state.realm_non_active_users).toEqual([]);
    const members = state.realm_user_groups?.flatMap((group) => group.members) ?? [];
    expect(new Set(members)).toEqual(new Set(listed));
  });

  test('gets strangers as "Unknown user" without user_list_incomplete, all with the same record', async () => {
    const state = await guest.client.queues.register({});
    const { members } = await guest.client.users.list({ include_custom_profile_fields: true });
    expectNoStranger([state, members]);
    const found = members.find(({ user_id }) => user_id === gone.user.id);
    const { is_active, ...record } = found ?? {};
    expect({ is_active, ...record }).toEqual({
      user_id: gone.user.id,
      email: `user${gone.user.id}@chat.test`,
      delivery_email: null,
      full_name: 'Unknown user',
      date_joined: '1970-01-01T00:00+00:00',
      is_active: true,
      is_owner: false,
      is_admin: false,
      is_guest: false,
      is_bot: false,
      is_imported_stub: false,
      role: 400,
      timezone: '',
      avatar_url: expect.stringContaining('gravatar'),
      avatar_version: 1,
      profile_data: {},
    });
    expect(state.realm_users).toContainEqual(record);
    const ids = (list: readonly { user_id: number }[] = []) => list.map(({ user_id }) => user_id);
    expect(ids(state.realm_users)).toEqual(ids(members));
    const all = await friend.client.users.list({});
    expect(ids(members)).toEqual(ids(all.members));
    const asked = await guest.client.users.list({ user_ids: [gone.user.id] });
    expect(asked.members).toEqual([]);
  });

  test('gets messages of a stranger from "Unknown user"', async () => {
    const queue = await listen(guest);
    const byName = await listen(guest, {
      narrow: [{ operator: 'sender', operand: stranger.email }],
    });
    const { id } = await stranger.client.messages.send({
      type: 'channel',
      to: 'square',
      topic: 'news',
      content: 'hello',
    });
    const unknown = {
      id,
      sender_id: stranger.user.id,
      sender_full_name: 'Unknown user',
      sender_email: `user${stranger.user.id}@chat.test`,
      avatar_url: expect.stringContaining('gravatar'),
    };
    const events = await queue.messages();
    expect(events).toMatchObject([{ message: unknown }]);
    expect(await byName.messages()).toEqual([]);
    const { messages } = await guest.client.messages.fetch({ anchor: 'newest', num_before: 1 });
    expect(messages).toMatchObject([unknown]);
    const one = await guest.client.messages.fetchOne({ message_id: id });
    expect(one.message).toMatchObject(unknown);
    expectNoStranger([events, messages, one]);
    const known = await friend.client.messages.fetchOne({ message_id: id });
    expect(known.message).toMatchObject({ sender_full_name: 'Cordelia' });
  });

  test('gets reactions and typing of a stranger without name and address', async () => {
    const queue = await listen(guest, {
      client_capabilities: { stream_typing_notifications: true },
    });
    const { id: message_id } = await friend.client.messages.send({
      type: 'channel',
      to: 'square',
      topic: 'news',
      content: 'hello',
    });
    const reaction = { message_id, emoji_name: 'tada' };
    await stranger.client.reactions.add(reaction);
    await stranger.client.reactions.remove(reaction);
    const typing = { type: 'channel', stream_id: `${square}`, topic: 'news', op: 'start' };
    expect((await chat.ask(stranger, 'POST /typing', typing)).status).toBe(200);
    const third = chat.people.shiva;
    const to = JSON.stringify([guest.user.id, third.user.id]);
    expect((await chat.ask(friend, 'POST /typing', { op: 'start', to })).status).toBe(200);
    const events = await queue.all();
    const address = ({ user }: Person) => `user${user.id}@chat.test`;
    const user = { user_id: stranger.user.id, email: address(stranger) };
    expect(events).toMatchObject([
      { type: 'message' },
      { type: 'reaction', op: 'add', user: { ...user, full_name: 'Unknown user' } },
      { type: 'reaction', op: 'remove', user: { ...user, full_name: 'Unknown user' } },
      { type: 'typing', message_type: 'stream', sender: user },
      {
        type: 'typing',
        message_type: 'direct',
        sender: { user_id: friend.user.id, email: friend.email },
        recipients: [
          { user_id: third.user.id, email: address(third) },
          { user_id: friend.user.id, email: friend.email },
          { user_id: guest.user.id, email: guest.email },
        ],
      },
    ]);
    expectNoStranger(events);
  });

  test('sees a member after the member has written to them', async () => {
    const iago = chat.people.iago;
    expect((await ask(`GET /users/${iago.user.id}`)).status).toBe(400);
    await iago.client.messages.send({ type: 'direct', to: [guest.user.id], content: 'hello' });
    await guest.client.messages.send({ type: 'direct', to: [iago.user.id], content: 'hello' });
    expect((await ask(`GET /users/${iago.user.id}`)).status).toBe(200);
  });
});
