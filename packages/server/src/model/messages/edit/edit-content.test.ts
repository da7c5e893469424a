import { createHash } from 'node:crypto';

import type { MessageId } from '@bellhop/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { expectRefused } from '../../../expect-refused.fixture.ts';
import { addChannel, subscribe } from '../../../resources/channels/channels.fixture.ts';
import { listen } from '../../../resources/queues/listen.fixture.ts';
import { resetRealmSettings } from '../../../resources/realms/realm-settings.fixture.ts';
import { type Person, startTestChat, type TestChat } from '../../../test-chat.fixture.ts';

let chat: TestChat;
let now = 1_800_000_000;
beforeAll(async () => {
  chat = await startTestChat({ now: () => now });
  const { hamlet, cordelia, iago, polonius } = chat.people;
  await addChannel(chat, { name: 'Denmark', subscribers: [hamlet, cordelia, iago, polonius] });
});
beforeEach(() => resetRealmSettings(chat, {}));
afterAll(() => chat[Symbol.asyncDispose]());

const send = async (from: Person, content: string, to = 'Denmark') =>
  (await from.client.messages.send({ type: 'channel', to, topic: 'plans', content })).id;
const direct = async (from: Person, content: string, ...others: Person[]) =>
  (
    await from.client.messages.send({
      type: 'direct',
      to: others.map(({ user }) => user.id),
      content,
    })
  ).id;
const edit = (by: Person, id: MessageId, fields: Record<string, string>) =>
  chat.ask(by, `PATCH /messages/${id}`, fields);
const fetched = async (by: Person, id: MessageId, apply_markdown = true) =>
  (await by.client.messages.fetchOne({ message_id: id, apply_markdown })).message;

const refused = (by: Person, id: MessageId, fields: Record<string, string>) =>
  expectRefused(edit(by, id, fields));

describe('editing content', () => {
  test('renders the new content and keeps the old one in the edit history', async () => {
    const { hamlet, cordelia } = chat.people;
    const id = await send(hamlet, 'the **first** words');
    now += 60;
    const { body } = await edit(hamlet, id, { content: 'the *second* https://x.test/a.png\n\n' });
    expect(body).toEqual({ result: 'success', msg: '', detached_uploads: [] });
    const message = await fetched(cordelia, id);
    expect(message).toMatchObject({
      content: expect.stringContaining('<em>second</em>'),
      last_edit_timestamp: now,
      edit_history: [
        {
          user_id: hamlet.user.id,
          timestamp: now,
          prev_content: 'the **first** words',
          prev_rendered_content: '<p>the <strong>first</strong> words</p>',
        },
      ],
    });
    expect(message).not.toHaveProperty('last_moved_timestamp');
    expect((await fetched(hamlet, id, false)).content).toBe('the *second* https://x.test/a.png');
    now += 60;
    await edit(hamlet, id, { content: 'third' });
    const { edit_history } = await fetched(cordelia, id);
    expect(edit_history?.map(({ timestamp }) => timestamp)).toEqual([now, now - 60]);
  });

  test('search and has: terms match the new content, not the old one', async () => {
    const { hamlet } = chat.people;
    const id = await send(hamlet, 'rosencrantz https://x.test/a.png');
    const finds = async (operator: string, operand: string) => {
      const narrow = [{ operator, operand }];
      const ask = { anchor: 'newest', num_before: 100, narrow } as const;
      const { messages } = await hamlet.client.messages.fetch(ask);
      return messages.some((message) => message.id === id);
    };
    expect(await finds('search', 'rosencrantz')).toBe(true);
    expect(await finds('has', 'image')).toBe(true);
    await edit(hamlet, id, { content: 'guildenstern' });
    expect(await finds('search', 'rosencrantz')).toBe(false);
    expect(await finds('search', 'guildenstern')).toBe(true);
    expect(await finds('has', 'link')).toBe(false);
    await edit(hamlet, id, { content: 'see https://x.test/b.png' });
    expect([await finds('has', 'link'), await finds('has', 'image')]).toEqual([true, true]);
  });

  test('removing the content leaves `(deleted)`', async () => {
    const { hamlet } = chat.people;
    const id = await send(hamlet, 'never mind');
    await edit(hamlet, id, { content: ' \n' });
    expect((await fetched(hamlet, id, false)).content).toBe('(deleted)');
  });

  test('updates is_me_message', async () => {
    const { hamlet } = chat.people;
    const id = await send(hamlet, 'waits');
    await edit(hamlet, id, { content: '/me waits' });
    expect((await fetched(hamlet, id)).is_me_message).toBe(true);
    await edit(hamlet, id, { content: 'waits' });
    expect((await fetched(hamlet, id)).is_me_message).toBe(false);
  });
});

describe('permission to edit content', () => {
  test('only the sender may edit, not even an owner of the realm', async () => {
    const { hamlet, cordelia, iago, desdemona } = chat.people;
    const id = await send(hamlet, 'mine');
    for (const other of [cordelia, iago, desdemona])
      expect(await refused(other, id, { content: 'yours' })).toMatchObject({
        code: 'BAD_REQUEST',
        msg: "You don't have permission to edit this message",
      });
    expect((await fetched(hamlet, id)).content).toBe('<p>mine</p>');
  });

  test('an edit is rejected 20 seconds after the time limit of the realm', async () => {
    const { hamlet } = chat.people;
    const id = await send(hamlet, 'old');
    now += 620;
    expect((await edit(hamlet, id, { content: 'just in time' })).status).toBe(200);
    now += 1;
    expect((await refused(hamlet, id, { content: 'too late' }))['msg']).toMatch(/time limit/);
    await resetRealmSettings(chat, { message_content_edit_limit_seconds: null });
    expect((await edit(hamlet, id, { content: 'no limit' })).status).toBe(200);
  });

  test('every edit is rejected if the realm has turned editing off', async () => {
    const { hamlet } = chat.people;
    const id = await send(hamlet, 'fixed');
    await resetRealmSettings(chat, { allow_message_editing: false });
    expect((await refused(hamlet, id, { content: 'x' }))['msg']).toMatch(/turned off/);
  });

  test('an edit of an unreadable message or in an archived channel is rejected', async () => {
    const { hamlet, cordelia, iago } = chat.people;
    const id = await direct(hamlet, 'between us', iago);
    const unknown = { code: 'BAD_REQUEST', msg: 'Invalid message(s)' };
    expect(await refused(cordelia, id, { content: 'x' })).toMatchObject(unknown);
    expect(await refused(hamlet, 999_999 as MessageId, { content: 'x' })).toMatchObject(unknown);
    const channel = await addChannel(chat, { name: 'Closed', subscribers: [hamlet] });
    const there = await send(hamlet, 'last words', 'Closed');
    await chat.server.app.db.kysely
      .updateTable('channel')
      .set({ is_archived: true })
      .where('id', '=', channel)
      .execute();
    expect((await refused(hamlet, there, { content: 'x' }))['msg']).toMatch(/archived/);
  });

  test('the content of a widget cannot be edited, its topic can', async () => {
    const { hamlet } = chat.people;
    const id = await send(hamlet, '/poll Lunch?\nyes\nno');
    expect((await refused(hamlet, id, { content: '/poll Dinner?' }))['msg']).toMatch(/Widgets/);
    expect((await edit(hamlet, id, { topic: 'meals' })).status).toBe(200);
  });

  test('a form ends by an edit after the time limit, but not where nobody may edit', async () => {
    const { hamlet } = chat.people;
    const extra_data = { type: 'choices', heading: 'Tea?', choices: [] };
    const { id } = await hamlet.client.messages.send({
      type: 'channel',
      to: 'Denmark',
      topic: 'plans',
      content: 'Tea?',
      widget_content: JSON.stringify({ widget_type: 'zform', extra_data }),
    });
    now += 86_400;
    await resetRealmSettings(chat, { allow_message_editing: false });
    expect((await refused(hamlet, id, { content: 'Tea: no' }))['msg']).toMatch(/turned off/);
    await resetRealmSettings(chat, {});
    expect((await edit(hamlet, id, { content: 'Tea: no' })).status).toBe(200);
    expect((await fetched(hamlet, id)).submessages).toEqual([]);
    expect((await refused(hamlet, id, { content: 'again' }))['msg']).toMatch(/time limit/);
  });

  test('an edit without changes is rejected', async () => {
    const { hamlet } = chat.people;
    const id = await send(hamlet, 'same');
    expect((await refused(hamlet, id, {}))['msg']).toBe('Nothing to change');
  });

  test('a wildcard mention that the sender may not use is rejected', async () => {
    const { hamlet, iago } = chat.people;
    const crowd = await Promise.all(
      Array.from({ length: 16 }, (_, n) => chat.addPerson(`crowd${n}`)),
    );
    await addChannel(chat, { name: 'Crowd', subscribers: [...crowd, hamlet, iago] });
    const id = await send(hamlet, 'hello', 'Crowd');
    expect(await refused(hamlet, id, { content: '@**all** hello' })).toMatchObject({
      code: 'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
    });
    for (const one of crowd) await send(one, 'here', 'Crowd');
    expect(await refused(hamlet, id, { content: '@**topic** hello' })).toMatchObject({
      code: 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
    });
    const his = await send(iago, 'hello', 'Crowd');
    expect((await edit(iago, his, { content: '@**all** hello' })).status).toBe(200);
  });
});

test('an edit with the hash of outdated content is rejected with EXPECTATION_MISMATCH', async () => {
  const { hamlet } = chat.people;
  const id = await send(hamlet, 'änderung');
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
  const stale = { content: 'x', prev_content_sha256: sha256('anderung') };
  expect(await refused(hamlet, id, stale)).toMatchObject({
    code: 'EXPECTATION_MISMATCH',
    field_name: 'prev_content_sha256',
  });
  const fresh = { content: 'x', prev_content_sha256: sha256('änderung').toUpperCase() };
  expect((await edit(hamlet, id, fresh)).status).toBe(200);
});

describe('the update_message event of a content edit', () => {
  test('goes to the readers of a channel message, each with their own flags', async () => {
    const { hamlet, cordelia, iago, desdemona } = chat.people;
    const id = await send(hamlet, '@**Iago** hello');
    await subscribe(chat, (await fetched(hamlet, id)).stream_id as never, desdemona.user.id);
    const queues = await Promise.all(
      [hamlet, cordelia, iago, desdemona, chat.people.shiva].map((one) => listen(one)),
    );
    const { stream_id } = await fetched(hamlet, id);
    now += 5;
    await edit(hamlet, id, { content: '@**Cordelia** hello' });
    const [own, hers, his, late, strangers] = await Promise.all(
      queues.map((queue) => queue.events('update_message')),
    );
    const base = {
      type: 'update_message',
      user_id: hamlet.user.id,
      rendering_only: false,
      message_id: id,
      message_ids: [id],
      edit_timestamp: now,
      stream_id,
      stream_name: 'Denmark',
      orig_content: '@**Iago** hello',
      content: '@**Cordelia** hello',
      is_me_message: false,
      rendered_content: expect.stringContaining('@Cordelia'),
      orig_rendered_content: expect.stringContaining('@Iago'),
    };
    expect(own).toMatchObject([{ ...base, flags: [] }]);
    expect(hers).toMatchObject([{ ...base, flags: ['mentioned'] }]);
    expect(his).toMatchObject([{ ...base, flags: [] }]);
    expect(late).toMatchObject([{ ...base, flags: ['read', 'historical'] }]);
    expect(strangers).toEqual([]);
    expect(own?.[0]).not.toHaveProperty('orig_subject');
    expect(own?.[0]).not.toHaveProperty('propagate_mode');
  });

  test('goes to the participants of a direct message', async () => {
    const { hamlet, cordelia, iago } = chat.people;
    const id = await direct(hamlet, 'psst', cordelia);
    const queues = await Promise.all([cordelia, iago].map((one) => listen(one)));
    await edit(hamlet, id, { content: '@**Cordelia** psst' });
    const [hers, his] = await Promise.all(queues.map((queue) => queue.events('update_message')));
    expect(hers).toMatchObject([{ message_id: id, flags: ['mentioned'] }]);
    expect(hers?.[0]).not.toHaveProperty('stream_id');
    expect(his).toEqual([]);
  });

  test('goes to queues for all public channels only if the channel is public', async () => {
    const { hamlet, shiva, polonius } = chat.people;
    const id = await send(hamlet, 'one');
    await addChannel(chat, { name: 'Cellar', subscribers: [hamlet], invite_only: true });
    const hidden = await send(hamlet, 'two', 'Cellar');
    const all = await listen(shiva, { all_public_streams: true });
    const guest = await listen(polonius);
    await edit(hamlet, id, { content: 'one and' });
    await edit(hamlet, hidden, { content: 'two and' });
    expect(await all.events('update_message')).toMatchObject([{ message_id: id }]);
    expect(await guest.events('update_message')).toMatchObject([{ message_id: id }]);
  });

  test('an edit adds and removes unread mentions', async () => {
    const { hamlet, cordelia } = chat.people;
    const mentions = async () => (await cordelia.client.queues.register()).unread_msgs?.mentions;
    const before = await mentions();
    const id = await send(hamlet, 'hello');
    await edit(hamlet, id, { content: 'hello @**all**' });
    expect(await mentions()).toEqual([...(before ?? []), id]);
    expect((await fetched(cordelia, id)).flags).toEqual([
      'stream_wildcard_mentioned',
      'wildcard_mentioned',
    ]);
    await edit(hamlet, id, { content: 'hello @_**Cordelia**' });
    expect(await mentions()).toEqual(before);
  });
});
