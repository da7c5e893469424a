import { api, type MessageId, NEWEST_ANCHOR } from '@bellhop/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { systemGroupIds } from '../../../model/user-groups/queries.ts';
import { type Person, startTestChat, type TestChat } from '../../../test-chat.fixture.ts';
import { addChannel, subscribe, unsubscribe } from '../../channels/channels.fixture.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startTestChat();
});
afterAll(() => chat[Symbol.asyncDispose]());

const idsOf = ({ messages }: { messages: readonly { id: number }[] }) =>
  messages.map(({ id }) => id);

async function say(from: Person, to: string | readonly Person[], content: string, topic = 'tests') {
  const { id } = await from.client.messages.send(
    typeof to === 'string'
      ? { type: 'channel', to, topic, content }
      : { type: 'direct', to: to.map(({ user }) => user.id), content },
  );
  return id;
}

describe('GET /messages with an anchor', () => {
  let ids: number[];
  let ada: Person;
  beforeAll(async () => {
    ada = await chat.addPerson('ada');
    ids = [];
    for (let at = 0; at < 6; at++) ids.push(await say(ada, [ada], `number ${at}`));
  });
  const at = (index: number) => ids[index] ?? 0;

  test('returns the messages before, at and after the anchor in the order of their ids', async () => {
    const answer = await ada.client.messages.fetch({ anchor: at(2), num_before: 1, num_after: 2 });
    expect(idsOf(answer)).toEqual(ids.slice(1, 5));
    expect(answer).toMatchObject({
      anchor: at(2),
      found_anchor: true,
      found_oldest: false,
      found_newest: false,
      history_limited: false,
    });
  });

  test('found_oldest and found_newest report the ends of the history', async () => {
    const answer = await ada.client.messages.fetch({ anchor: at(2), num_before: 9, num_after: 9 });
    expect(idsOf(answer)).toEqual(ids);
    expect(answer).toMatchObject({ found_oldest: true, found_newest: true });
  });

  test('anchor=newest returns the last messages with found_newest and without found_anchor', async () => {
    const answer = await ada.client.messages.fetch({
      anchor: 'newest',
      num_before: 2,
      num_after: 5,
    });
    expect(idsOf(answer)).toEqual(ids.slice(4));
    expect(answer).toMatchObject({
      anchor: NEWEST_ANCHOR,
      found_anchor: false,
      found_oldest: false,
      found_newest: true,
    });
  });

  test('anchor=oldest, 0 and negative numbers return the first messages', async () => {
    for (const anchor of ['oldest', -7, 0]) {
      const answer = await ada.client.messages.fetch({ anchor, num_before: 3, num_after: 2 });
      expect(idsOf(answer)).toEqual(ids.slice(0, 2));
      expect(answer).toMatchObject({
        anchor: 0,
        found_anchor: false,
        found_oldest: true,
        found_newest: false,
      });
    }
  });

  test('anchors above the largest id return the newest messages', async () => {
    for (const anchor of ['10000000000000000', '99999999999999999999', '1e16', '"newest"']) {
      const fields = { anchor, num_before: '1', num_after: '0' };
      const { body } = await chat.ask(ada, 'GET /messages', fields);
      expect(body).toMatchObject({ result: 'success', anchor: NEWEST_ANCHOR });
      expect(body['messages']).toMatchObject([{ id: at(5) }]);
    }
  });

  test('anchor=first_unread is the oldest unread message; own messages count as read', async () => {
    const reader = await chat.addPerson('reader');
    const none = { anchor: 'first_unread', num_before: 1, num_after: 1 };
    expect(await reader.client.messages.fetch(none)).toMatchObject({ anchor: NEWEST_ANCHOR });
    const sent = [];
    for (const text of ['a', 'b', 'c']) sent.push(await say(chat.people.iago, [reader], text));
    await chat.server.app.db.kysely
      .updateTable('user_message')
      .set({ flags: 1 })
      .where('user_id', '=', reader.user.id)
      .where('message_id', '=', sent[0] as never)
      .execute();
    const answer = await reader.client.messages.fetch(none);
    expect(answer).toMatchObject({ anchor: sent[1], found_anchor: true });
    expect(idsOf(answer)).toEqual(sent);
    expect(answer.messages.map(({ flags }) => flags)).toEqual([['read'], [], []]);
    const legacy = { anchor: 3, use_first_unread_anchor: true, num_before: 0, num_after: 0 };
    expect(await reader.client.messages.fetch(legacy)).toMatchObject({ anchor: sent[1] });
  });

  test('include_anchor=false omits the anchor at an end of the range', async () => {
    const ask = { anchor: at(2), include_anchor: false, num_before: 2, num_after: 0 };
    const answer = await ada.client.messages.fetch(ask);
    expect(idsOf(answer)).toEqual(ids.slice(0, 2));
    expect(answer).toMatchObject({ found_anchor: false, found_oldest: false });
    await expect(ada.client.messages.fetch({ ...ask, num_after: 1 })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
  });

  test('an anchor that the narrow does not match returns only its neighbours', async () => {
    const hole = (await say(chat.people.iago, [chat.people.hamlet], 'not for ada')) as number;
    const last = await say(ada, [ada], 'number 6');
    ids.push(last);
    const answer = await ada.client.messages.fetch({ anchor: hole, num_before: 1, num_after: 1 });
    expect(idsOf(answer)).toEqual(ids.slice(5));
    expect(answer.found_anchor).toBe(false);
    const alone = await ada.client.messages.fetch({ anchor: last });
    expect(idsOf(alone)).toEqual([last]);
  });

  test('invalid ranges and anchors are rejected', async () => {
    const refused: [Record<string, string>, string][] = [
      [{ num_before: '1', num_after: '1' }, 'BAD_REQUEST'],
      [{ anchor: 'sometime' }, 'BAD_REQUEST'],
      [{ anchor: '1.5' }, 'BAD_REQUEST'],
      [{ anchor: '' }, 'BAD_REQUEST'],
      [{ anchor: '1', num_before: '2501', num_after: '2500' }, 'BAD_REQUEST'],
      [{ anchor: '1', num_before: '-1', num_after: '0' }, 'BAD_REQUEST'],
      [{ anchor: '1', message_ids: '[1]' }, 'BAD_REQUEST'],
      [{ num_after: '1', message_ids: '[1]' }, 'BAD_REQUEST'],
    ];
    for (const [fields, code] of refused) {
      const { status, body } = await chat.ask(ada, 'GET /messages', fields);
      expect([fields, status, body['code']]).toEqual([fields, 400, code]);
    }
    expect((await chat.ask(null, 'GET /messages', { anchor: '1' })).status).toBe(401);
    const as = { realm: chat.realm, user: ada.user, client: 'test' };
    const message_ids = ids.flatMap((id) => Array<number>(1000).fill(id)) as MessageId[];
    await expect(
      chat.server.perform(api.messages.fetch, { message_ids }, as),
    ).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  test('a request for exactly 5000 messages is accepted', async () => {
    const all = await ada.client.messages.fetch({ anchor: 1, num_before: 2500, num_after: 2500 });
    expect(idsOf(all)).toEqual(ids);
  });
});

test('message_ids returns the readable messages that match the narrow', async () => {
  const { hamlet, cordelia, iago } = chat.people;
  await addChannel(chat, { name: 'open', subscribers: [hamlet] });
  const [direct, hidden, open] = [
    await say(hamlet, [cordelia], 'to you'),
    await say(hamlet, [iago], 'not to you'),
    await say(hamlet, 'open', 'to the channel'),
  ];
  const message_ids = [open, 999_999_999 as typeof open, hidden, direct];
  const answer = await cordelia.client.messages.fetch({ message_ids });
  expect(answer).toEqual({
    messages: [expect.objectContaining({ id: direct }), expect.objectContaining({ id: open })],
    found_anchor: false,
    found_oldest: false,
    found_newest: false,
    history_limited: false,
  });
  expect(answer.messages.map(({ flags }) => flags)).toEqual([[], ['read', 'historical']]);
  const narrow = [{ operator: 'is', operand: 'unread' }];
  expect(idsOf(await cordelia.client.messages.fetch({ message_ids, narrow }))).toEqual([direct]);
});

describe('the returned message', () => {
  test('a direct message has its participants, an avatar and the flags of the reader', async () => {
    const { hamlet, cordelia } = chat.people;
    const id = await say(hamlet, [cordelia], 'Hi @**Cordelia**');
    const { messages } = await cordelia.client.messages.fetch({ anchor: id });
    expect(messages).toEqual([
      {
        id,
        type: 'private',
        subject: '',
        content: `<p>Hi <span class="user-mention" data-user-id="${cordelia.user.id}">@Cordelia</span></p>`,
        content_type: 'text/html',
        sender_id: hamlet.user.id,
        sender_email: hamlet.email,
        sender_full_name: 'Hamlet',
        sender_realm_str: '',
        avatar_url: null,
        client: 'BellhopClient',
        display_recipient: [hamlet, cordelia].map(({ user, email }) => ({
          id: user.id,
          email,
          full_name: user.full_name,
          is_mirror_dummy: false,
        })),
        recipient_id: expect.any(Number),
        timestamp: expect.any(Number),
        is_me_message: false,
        reactions: [],
        submessages: [],
        topic_links: [],
        flags: ['mentioned'],
      },
    ]);
    const raw = await cordelia.client.messages.fetch({
      anchor: id,
      apply_markdown: false,
      client_gravatar: false,
    });
    expect(raw.messages).toMatchObject([
      {
        content: 'Hi @**Cordelia**',
        content_type: 'text/x-markdown',
        avatar_url: expect.stringMatching(/^https:/),
      },
    ]);
  });

  test('a channel message has its channel; the empty topic has its display name unless the client allows it', async () => {
    const { hamlet } = chat.people;
    const stream_id = await addChannel(chat, { name: 'Talk', subscribers: [hamlet] });
    const id = await say(hamlet, 'talk', '/me waves', '');
    const { messages } = await hamlet.client.messages.fetch({ anchor: id });
    expect(messages).toMatchObject([
      {
        type: 'stream',
        stream_id,
        display_recipient: 'Talk',
        subject: 'general chat',
        is_me_message: true,
      },
    ]);
    const knowing = { anchor: id, allow_empty_topic_name: true };
    expect((await hamlet.client.messages.fetch(knowing)).messages).toMatchObject([{ subject: '' }]);
  });
});

describe('readable messages', () => {
  test('only participants can read a direct message', async () => {
    const { hamlet, cordelia, desdemona } = chat.people;
    const id = await say(hamlet, [cordelia], 'a secret');
    for (const reader of [hamlet, cordelia])
      expect((await reader.client.messages.fetchOne({ message_id: id })).message.id).toBe(id);
    await unreadable(desdemona, id);
  });

  test('users can read the history of a public channel, guests only if they are subscribed', async () => {
    const { hamlet, cordelia, polonius } = chat.people;
    const channel = await addChannel(chat, { name: 'square', subscribers: [hamlet] });
    const id = await say(hamlet, 'square', 'hear, hear');
    const narrow = [{ operator: 'channel', operand: 'square' }];
    const ask = { anchor: 'newest', num_before: 5, num_after: 0, narrow };
    const answer = await cordelia.client.messages.fetch(ask);
    expect(answer.messages).toMatchObject([{ id, flags: ['read', 'historical'] }]);
    expect((await cordelia.client.messages.fetchOne({ message_id: id })).message.flags).toEqual([
      'read',
      'historical',
    ]);
    await expect(polonius.client.messages.fetch(ask)).rejects.toMatchObject({ code: 'BAD_NARROW' });
    await unreadable(polonius, id);
    await subscribe(chat, channel, polonius.user.id);
    expect(idsOf(await polonius.client.messages.fetch(ask))).toEqual([id]);
    await polonius.client.messages.fetchOne({ message_id: id });
  });

  test('subscribers can read the history of a private channel only if it is shared', async () => {
    const { hamlet, cordelia, iago } = chat.people;
    for (const shared of [true, false]) {
      const name = shared ? 'shared' : 'protected';
      const channel = await addChannel(chat, {
        name,
        subscribers: [hamlet],
        invite_only: true,
        history_public_to_subscribers: shared,
      });
      const before = await say(hamlet, name, 'before you came');
      const ask = {
        anchor: 'newest',
        num_before: 5,
        num_after: 0,
        narrow: [{ operator: 'channel', operand: channel }],
      };
      await expect(cordelia.client.messages.fetch(ask)).rejects.toMatchObject({
        code: 'BAD_NARROW',
      });
      expect(idsOf(await iago.client.messages.fetch(ask))).toEqual([]);
      await unreadable(cordelia, before);
      await subscribe(chat, channel, cordelia.user.id);
      const after = await say(hamlet, name, 'after you came');
      const seen = idsOf(await cordelia.client.messages.fetch(ask));
      expect(seen).toEqual(shared ? [before, after] : [after]);
      if (!shared) await unreadable(cordelia, before);
      await unsubscribe(chat, channel, cordelia.user.id);
      await unreadable(cordelia, after);
      const all = await cordelia.client.messages.fetch({ anchor: after, num_before: 1 });
      expect(idsOf(all)).not.toContain(after);
    }
  });

  test('can_subscribe_group opens a private channel to members, web_public opens a channel to guests', async () => {
    const { hamlet, cordelia, polonius } = chat.people;
    const groups = await systemGroupIds(chat.server.app.db.kysely, chat.realm.id);
    const members = groups['role:members'];
    const shared = { subscribers: [hamlet], invite_only: true };
    await addChannel(chat, { ...shared, name: 'joinable', can_subscribe_group: members });
    await addChannel(chat, { ...shared, name: 'inviting', can_add_subscribers_group: members });
    await addChannel(chat, { name: 'web', subscribers: [hamlet], is_web_public: true });
    for (const [name, readers] of [
      ['joinable', [cordelia]],
      ['inviting', [cordelia]],
      ['web', [cordelia, polonius]],
    ] as const) {
      const id = await say(hamlet, name, 'for those who may come');
      const narrow = [{ operator: 'channel', operand: name }];
      const ask = { anchor: 'newest', num_before: 5, num_after: 0, narrow };
      for (const reader of readers) {
        expect(idsOf(await reader.client.messages.fetch(ask))).toEqual([id]);
        await reader.client.messages.fetchOne({ message_id: id });
      }
      if (name !== 'web') await unreadable(polonius, id);
    }
  });

  async function unreadable(reader: Person, id: number) {
    const { status, body } = await chat.ask(reader, `GET /messages/${id}`);
    expect([status, body]).toEqual([
      400,
      { result: 'error', msg: 'Invalid message(s)', code: 'BAD_REQUEST' },
    ]);
  }
});

describe('GET /messages/{id}', () => {
  test('returns rendered or raw content, and raw_content in both cases', async () => {
    const { hamlet } = chat.people;
    const id = await say(hamlet, [hamlet], 'to **be**');
    const rendered = await hamlet.client.messages.fetchOne({ message_id: id });
    expect(rendered).toMatchObject({
      raw_content: 'to **be**',
      message: { content: '<p>to <strong>be</strong></p>', content_type: 'text/html', flags: [] },
    });
    expect(rendered.message.avatar_url).toMatch(/^https:/);
    const raw = await hamlet.client.messages.fetchOne({ message_id: id, apply_markdown: false });
    expect(raw.message).toMatchObject({ content: 'to **be**', content_type: 'text/x-markdown' });
  });

  test('rejects ids without a message', async () => {
    for (const id of ['0', '999999999', '9007199254740991'])
      expect((await chat.ask(chat.people.hamlet, `GET /messages/${id}`)).body).toMatchObject({
        code: 'BAD_REQUEST',
        msg: 'Invalid message(s)',
      });
    const { status, body } = await chat.ask(chat.people.hamlet, 'GET /messages/first');
    expect([status, body['code']]).toEqual([400, 'BAD_REQUEST']);
  });
});
