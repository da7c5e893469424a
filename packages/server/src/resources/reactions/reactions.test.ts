import type { AskOf, MessageId, Api } from '@bellhop/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { refusedWith } from '../../expect-refused.fixture.ts';
import { type Person, startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { addChannel, subscribe, unsubscribe } from '../channels/channels.fixture.ts';
import { listen } from '../queues/listen.fixture.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startTestChat();
});
afterAll(() => chat[Symbol.asyncDispose]());

let made = 0;
type Settings = Partial<Parameters<typeof addChannel>[1]>;

/** Sends a message from Hamlet to a new channel of Hamlet and these people. */
async function message(others: readonly Person[], settings: Settings = {}) {
  const { hamlet } = chat.people;
  const name = `channel ${++made}`;
  const channel = await addChannel(chat, { name, subscribers: [hamlet, ...others], ...settings });
  const sent = { type: 'channel', to: name, topic: 'x', content: 'hello' } as const;
  const { id } = await hamlet.client.messages.send(sent);
  return { channel, name, id };
}

type ReactionRequest = Omit<AskOf<Api['reactions']['remove']>, 'message_id'>;
const react = (
  by: Person,
  message_id: MessageId,
  request: ReactionRequest & { emoji_name: string },
) => by.client.reactions.add({ message_id, ...request });
const unreact = (by: Person, message_id: MessageId, request: ReactionRequest) =>
  by.client.reactions.remove({ message_id, ...request });
const reactionsTo = async (message_id: MessageId, by: Person) =>
  (await by.client.messages.fetchOne({ message_id })).message.reactions;

const thumb = { emoji_name: 'thumbs_up', emoji_code: '1f44d', reaction_type: 'unicode_emoji' };
const gone = refusedWith('Reaction does not exist', 'REACTION_DOES_NOT_EXIST');
const there = refusedWith('Reaction already exists', 'REACTION_ALREADY_EXISTS');

describe('a reaction', () => {
  test('appears with its message in every endpoint, oldest first', async () => {
    const { hamlet, iago } = chat.people;
    const { id } = await message([iago]);
    await react(iago, id, { emoji_name: 'thumbs_up' });
    await react(hamlet, id, { emoji_name: 'zulip' });
    await react(hamlet, id, { emoji_name: '+1' });
    const extra = { emoji_name: 'zulip', emoji_code: 'zulip', reaction_type: 'svc_extra_emoji' };
    const expected = [
      { ...thumb, user_id: iago.user.id },
      { ...extra, user_id: hamlet.user.id },
      // The name that the first reaction used.
      { ...thumb, user_id: hamlet.user.id },
    ];
    expect(await reactionsTo(id, iago)).toEqual(expected);
    const { messages } = await hamlet.client.messages.fetch({ message_ids: [id] });
    expect(messages[0]?.reactions).toEqual(expected);
  });

  test('is removed by name, by code, or by both', async () => {
    const { hamlet, iago } = chat.people;
    const { id } = await message([iago]);
    const all: ReactionRequest[] = [
      { emoji_name: 'thumbs_up' },
      { emoji_name: '+1' },
      { emoji_code: '1f44d' },
      { emoji_name: 'whatever', emoji_code: '1f44d', reaction_type: 'unicode_emoji' },
    ];
    await react(iago, id, { emoji_name: 'tada' });
    for (const request of all) {
      await react(hamlet, id, { emoji_name: '+1' });
      await unreact(hamlet, id, request);
      expect(await reactionsTo(id, hamlet)).toMatchObject([{ emoji_name: 'tada' }]);
      await expect(unreact(hamlet, id, request)).rejects.toMatchObject(gone);
    }
  });

  test('of another user cannot be removed', async () => {
    const { hamlet, iago } = chat.people;
    const { id } = await message([iago]);
    await react(iago, id, { emoji_name: 'tada' });
    await expect(unreact(hamlet, id, { emoji_name: 'tada' })).rejects.toMatchObject(gone);
    expect(await reactionsTo(id, hamlet)).toMatchObject([{ emoji_name: 'tada' }]);
  });

  test('with the extra emoji has the reaction type that clients expect', async () => {
    const { hamlet } = chat.people;
    const { id } = await message([]);
    const request = {
      emoji_name: 'zulip',
      emoji_code: 'zulip',
      reaction_type: 'zulip_extra_emoji',
    };
    const path = `/messages/${id}/reactions`;
    expect((await chat.ask(hamlet, `POST ${path}`, request)).status).toBe(200);
    expect(await reactionsTo(id, hamlet)).toMatchObject([{ reaction_type: 'svc_extra_emoji' }]);
    expect((await chat.ask(hamlet, `DELETE ${path}`, request)).status).toBe(200);
    expect(await reactionsTo(id, hamlet)).toEqual([]);
  });

  test('is not added twice under another name or concurrently', async () => {
    const { hamlet } = chat.people;
    const { id } = await message([]);
    const twice = await Promise.allSettled([
      react(hamlet, id, { emoji_name: '+1' }),
      react(hamlet, id, { emoji_name: '+1' }),
    ]);
    expect(twice.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    for (const emoji_name of ['+1', 'thumbs_up'])
      await expect(react(hamlet, id, { emoji_name })).rejects.toMatchObject(there);
    expect(await reactionsTo(id, hamlet)).toHaveLength(1);
  });

  test('keeps the emoji name of the first reaction to the message', async () => {
    const { hamlet, iago } = chat.people;
    const { id } = await message([iago]);
    await react(hamlet, id, { emoji_name: 'tada' });
    await react(iago, id, { emoji_name: 'nothing known', emoji_code: '1f389' });
    expect((await reactionsTo(id, iago)).map(({ emoji_name }) => emoji_name)).toEqual([
      'tada',
      'tada',
    ]);
  });

  test.each([
    // Its code has variation selectors in clients.
    ['woman_detective', '1f575-fe0f-200d-2640-fe0f'],
    ['flag_åland_islands', '1f1e6-1f1fd'],
    ['mauritius', '1f9a4'],
    ['football', '26bd'],
  ])('named %s has the code %s, whether or not the client sends it', async (name, code) => {
    const { hamlet, iago } = chat.people;
    const { id } = await message([iago]);
    await react(hamlet, id, { emoji_name: name });
    await react(iago, id, { emoji_name: name, emoji_code: code, reaction_type: 'unicode_emoji' });
    const emoji = { emoji_name: name, emoji_code: code, reaction_type: 'unicode_emoji' };
    expect(await reactionsTo(id, hamlet)).toEqual([
      { ...emoji, user_id: hamlet.user.id },
      { ...emoji, user_id: iago.user.id },
    ]);
    await unreact(hamlet, id, { emoji_code: code });
    await unreact(iago, id, { emoji_name: name });
    expect(await reactionsTo(id, hamlet)).toEqual([]);
  });

  test('with a code without its variation selectors is the reaction with them', async () => {
    const { hamlet } = chat.people;
    const { id } = await message([]);
    await react(hamlet, id, { emoji_name: 'woman_detective', emoji_code: '1f575-200d-2640' });
    const emoji_code = '1f575-fe0f-200d-2640-fe0f';
    expect(await reactionsTo(id, hamlet)).toMatchObject([{ emoji_code }]);
    await expect(
      react(hamlet, id, { emoji_name: 'woman_detective', emoji_code }),
    ).rejects.toMatchObject(there);
  });

  test.each<[ReactionRequest & { emoji_name: string }, string]>([
    [{ emoji_name: 'no_such_emoji' }, "Emoji 'no_such_emoji' does not exist"],
    [{ emoji_name: 'constructor' }, "Emoji 'constructor' does not exist"],
    [{ emoji_name: '+1', emoji_code: '1f389' }, 'Invalid emoji name'],
    [{ emoji_name: '+1', emoji_code: '1F44D' }, 'Invalid emoji code'],
    [{ emoji_name: '+1', emoji_code: '' }, 'Invalid emoji code'],
    [{ emoji_name: 'nothing', emoji_code: '1f44d' }, 'Invalid emoji name'],
    [{ emoji_name: '+1', reaction_type: 'svc_extra_emoji' }, 'Invalid emoji code'],
    [{ emoji_name: 'zulip', reaction_type: 'unicode_emoji' }, 'Invalid emoji code'],
    [{ emoji_name: '+1', reaction_type: 'realm_emoji' }, 'Invalid custom emoji.'],
    [
      { emoji_name: '+1', emoji_code: 'zulip', reaction_type: 'svc_extra_emoji' },
      'Invalid emoji name',
    ],
  ])('adding %j is rejected: %s', async (request, text) => {
    const { hamlet } = chat.people;
    const { id } = await message([]);
    await expect(react(hamlet, id, request)).rejects.toMatchObject(refusedWith(text));
    expect(await reactionsTo(id, hamlet)).toEqual([]);
  });

  test('with an unknown reaction type is rejected', async () => {
    const { id } = await message([]);
    const request = { emoji_name: '+1', reaction_type: 'animal' };
    for (const method of ['POST', 'DELETE']) {
      const answer = await chat.ask(
        chat.people.hamlet,
        `${method} /messages/${id}/reactions`,
        request,
      );
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'BAD_REQUEST', var_name: 'reaction_type' },
      });
    }
  });

  test.each<[ReactionRequest, string]>([
    [{}, 'At least one of emoji_name and emoji_code must be present'],
    [{ reaction_type: 'unicode_emoji' }, 'At least one of emoji_name and emoji_code'],
    [{ emoji_name: 'no_such_emoji' }, "Emoji 'no_such_emoji' does not exist"],
    [{ emoji_code: 'beef' }, 'Invalid emoji code'],
    [{ emoji_code: '7', reaction_type: 'realm_emoji' }, 'Invalid emoji code'],
  ])('removing %j is rejected: %s', async (request, text) => {
    const { id } = await message([]);
    await expect(unreact(chat.people.hamlet, id, request)).rejects.toMatchObject(
      refusedWith(new RegExp(text)),
    );
  });

  test('with an emoji that no longer exists can be removed', async () => {
    const { hamlet } = chat.people;
    const { id } = await message([]);
    const old = { emoji_name: 'old', emoji_code: 'beef', reaction_type: 'unicode_emoji' } as const;
    const row = { realm_id: chat.realm.id, message_id: id, user_id: hamlet.user.id, ...old };
    await chat.server.app.db.kysely.insertInto('reaction').values(row).execute();
    await unreact(hamlet, id, { emoji_code: 'beef' });
    expect(await reactionsTo(id, hamlet)).toEqual([]);
  });

  test('is deleted with its message', async () => {
    const { hamlet } = chat.people;
    const { id } = await message([]);
    await react(hamlet, id, { emoji_name: '+1' });
    const { kysely } = chat.server.app.db;
    await chat.people.desdemona.client.messages.remove({ message_id: id });
    const left = kysely.selectFrom('reaction').selectAll().where('message_id', '=', id);
    expect(await left.execute()).toEqual([]);
  });
});

describe('a reaction is rejected for a message', () => {
  const invisible = refusedWith('Invalid message(s)');
  const expectOutOfReach = async (by: Person, id: MessageId) => {
    await expect(react(by, id, { emoji_name: '+1' })).rejects.toMatchObject(invisible);
    await expect(unreact(by, id, { emoji_name: '+1' })).rejects.toMatchObject(invisible);
  };

  test('missing or hidden from the user', async () => {
    const { hamlet, iago, cordelia, polonius } = chat.people;
    const { id: hidden } = await message([iago], { invite_only: true });
    const to = [iago.user.id];
    const { id: direct } = await hamlet.client.messages.send({ type: 'direct', to, content: 'x' });
    const { id: open } = await message([]);
    for (const id of [999_999 as MessageId, hidden, direct]) await expectOutOfReach(cordelia, id);
    await expectOutOfReach(polonius, open);
  });

  test('sent before the user subscribed to a channel without shared history', async () => {
    const { cordelia } = chat.people;
    const keeps = { invite_only: true, history_public_to_subscribers: false };
    const { id, channel } = await message([], keeps);
    await subscribe(chat, channel, cordelia.user.id);
    await expectOutOfReach(cordelia, id);
  });
});

test('reactions in an archived channel can be neither added nor removed', async () => {
  const { hamlet } = chat.people;
  const { id, channel } = await message([]);
  await react(hamlet, id, { emoji_name: '+1' });
  const archived = chat.server.app.db.kysely.updateTable('channel').set({ is_archived: true });
  await archived.where('id', '=', channel).execute();
  const refused = refusedWith('Messages of an archived channel cannot be changed.');
  await expect(react(hamlet, id, { emoji_name: 'tada' })).rejects.toMatchObject(refused);
  await expect(unreact(hamlet, id, { emoji_name: '+1' })).rejects.toMatchObject(refused);
});

describe('the reaction event', () => {
  const eventsOf = async (people: readonly Person[], options?: object) =>
    Promise.all(people.map((person) => listen(person, { fetch_event_types: [], ...options })));

  test('goes to all subscribers, including those who subscribed after the message', async () => {
    const { hamlet, iago, shiva, cordelia } = chat.people;
    const { id, channel } = await message([iago]);
    await subscribe(chat, channel, shiva.user.id);
    const inside = await eventsOf([hamlet, iago, shiva]);
    const [outside] = await eventsOf([cordelia]);
    await react(iago, id, { emoji_name: '+1' });
    await unreact(iago, id, { emoji_name: '+1' });
    const { id: user_id, full_name } = iago.user;
    const event = (op: string) => ({
      id: expect.any(Number),
      type: 'reaction',
      op,
      message_id: id,
      ...thumb,
      emoji_name: '+1',
      user_id,
      user: { user_id, email: iago.email, full_name },
    });
    for (const queue of inside)
      expect(await queue.events('reaction')).toEqual([event('add'), event('remove')]);
    expect(await outside?.events('reaction')).toEqual([]);
  });

  test('goes to queues for all public channels only if the channel is public', async () => {
    const { hamlet, cordelia } = chat.people;
    const { id } = await message([]);
    const { id: hidden } = await message([], { invite_only: true });
    const [wide] = await eventsOf([cordelia], { all_public_streams: true });
    for (const one of [id, hidden]) await react(hamlet, one, { emoji_name: '+1' });
    expect(await wide?.events('reaction')).toMatchObject([{ message_id: id }]);
  });

  test('in a channel without shared history goes only to recipients who may still read the message', async () => {
    const { hamlet, iago, cordelia } = chat.people;
    const keeps = { invite_only: true, history_public_to_subscribers: false };
    const { id, channel } = await message([iago], keeps);
    await subscribe(chat, channel, cordelia.user.id);
    const [sender, late, early] = await eventsOf([hamlet, cordelia, iago]);
    await unsubscribe(chat, channel, iago.user.id);
    await react(hamlet, id, { emoji_name: '+1' });
    expect(await sender?.events('reaction')).toHaveLength(1);
    // Cordelia did not receive the message, Iago may no longer read it.
    for (const queue of [late, early]) expect(await queue?.events('reaction')).toEqual([]);
  });

  test('goes to the participants of a direct message and to nobody else', async () => {
    const { hamlet, iago, shiva, cordelia } = chat.people;
    const to = [iago.user.id, shiva.user.id];
    const { id } = await hamlet.client.messages.send({ type: 'direct', to, content: 'x' });
    const [outside, ...inside] = await eventsOf([cordelia, hamlet, iago, shiva]);
    await react(shiva, id, { emoji_name: 'eyes' });
    for (const queue of inside) expect(await queue.events('reaction')).toHaveLength(1);
    expect(await outside?.events('reaction')).toEqual([]);
  });
});

test('a reaction to a message that the user never received adds it to their history', async () => {
  const { cordelia } = chat.people;
  const { id, name } = await message([]);
  const flags = async () => (await cordelia.client.messages.fetchOne({ message_id: id })).message;
  const own = { anchor: id, narrow: [{ operator: 'has', operand: 'reaction' }] };
  expect((await cordelia.client.messages.fetch(own)).messages).toEqual([]);
  await react(cordelia, id, { emoji_name: '+1' });
  expect((await flags()).flags).toEqual(['read', 'historical']);
  const { messages } = await cordelia.client.messages.fetch(own);
  expect(messages.map((one) => one.id)).toEqual([id]);
  const { max_message_id } = await cordelia.client.users.me({});
  expect(max_message_id).toBe(id);
  await unreact(cordelia, id, { emoji_name: '+1' });
  expect((await cordelia.client.messages.fetch(own)).messages).toEqual([]);
  const inChannel = { anchor: id, narrow: [{ operator: 'channel', operand: name }] };
  expect((await cordelia.client.messages.fetch(inChannel)).messages).toHaveLength(1);
});
