import type { MessageId } from '@bellhop/protocol';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { type Person, startTestChat, type TestChat } from '../../../test-chat.fixture.ts';
import { addChannel } from '../../channels/channels.fixture.ts';
import { resetRealmSettings } from '../../realms/realm-settings.fixture.ts';

let chat: TestChat;
let now = 1_800_000_000;
beforeAll(async () => {
  chat = await startTestChat({ now: () => now });
  const { hamlet, cordelia } = chat.people;
  await addChannel(chat, { name: 'Denmark', subscribers: [hamlet, cordelia] });
});
beforeEach(() => resetRealmSettings(chat, {}));
afterAll(() => chat[Symbol.asyncDispose]());

const send = async (content: string) => {
  const message = { type: 'channel', to: 'Denmark', topic: 'plans', content } as const;
  return (await chat.people.hamlet.client.messages.send(message)).id;
};
const edit = async (message_id: MessageId, content: string) => {
  now += 10;
  await chat.people.hamlet.client.messages.edit({ message_id, content });
};
const history = async (by: Person, message_id: MessageId) =>
  (await by.client.messages.history({ message_id })).message_history;

test('the history of an unchanged message has one version', async () => {
  const { hamlet, cordelia } = chat.people;
  const id = await send('**once**');
  expect(await history(cordelia, id)).toEqual([
    {
      topic: 'plans',
      content: '**once**',
      rendered_content: '<p><strong>once</strong></p>',
      timestamp: now,
      user_id: hamlet.user.id,
    },
  ]);
});

test('the history has one version per edit, oldest first, with its changes', async () => {
  const { hamlet, cordelia } = chat.people;
  const id = await send('one');
  await edit(id, 'one two');
  await edit(id, 'two');
  const by = { topic: 'plans', user_id: hamlet.user.id };
  const came = '<span class="highlight_text_inserted"> two</span>';
  expect(await history(cordelia, id)).toEqual([
    { ...by, timestamp: now - 20, content: 'one', rendered_content: '<p>one</p>' },
    {
      ...by,
      timestamp: now - 10,
      content: 'one two',
      rendered_content: '<p>one two</p>',
      prev_content: 'one',
      prev_rendered_content: '<p>one</p>',
      content_html_diff: `<p>one${came}</p>`,
    },
    {
      ...by,
      timestamp: now,
      content: 'two',
      rendered_content: '<p>two</p>',
      prev_content: 'one two',
      prev_rendered_content: '<p>one two</p>',
      content_html_diff: '<p><span class="highlight_text_deleted">one </span>two</p>',
    },
  ]);
});

test('a realm that shows only moves does not show earlier content', async () => {
  const { cordelia } = chat.people;
  const id = await send('secret');
  await edit(id, 'open');
  await resetRealmSettings(chat, { message_edit_history_visibility_policy: 'moves' });
  const versions = await history(cordelia, id);
  expect(versions).toMatchObject([{ content: 'open', rendered_content: '<p>open</p>' }]);
  expect(versions).toHaveLength(1);
  const { message } = await cordelia.client.messages.fetchOne({ message_id: id });
  expect(message).not.toHaveProperty('edit_history');
  expect(message.last_edit_timestamp).toBe(now);
});

test('a realm that shows no history rejects the request', async () => {
  const { cordelia } = chat.people;
  const id = await send('one');
  await edit(id, 'two');
  await resetRealmSettings(chat, { message_edit_history_visibility_policy: 'none' });
  await expect(history(cordelia, id)).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: 'Message edit history is disabled in this organization',
  });
  const { message } = await cordelia.client.messages.fetchOne({ message_id: id });
  expect(message).not.toHaveProperty('edit_history');
});

test('the history of an unreadable message is rejected', async () => {
  const { hamlet, cordelia, iago } = chat.people;
  const to = [cordelia.user.id];
  const { id } = await hamlet.client.messages.send({ type: 'direct', to, content: 'psst' });
  const unknown = { code: 'BAD_REQUEST', message: 'Invalid message(s)' };
  await expect(history(iago, id)).rejects.toMatchObject(unknown);
  await expect(history(iago, 999_999 as MessageId)).rejects.toMatchObject(unknown);
  expect(await history(cordelia, id)).toHaveLength(1);
});

test('the history of a direct message has no topic; that of the empty topic has its display name', async () => {
  const { hamlet, cordelia } = chat.people;
  const to = [cordelia.user.id];
  const direct = await hamlet.client.messages.send({ type: 'direct', to, content: 'one' });
  await edit(direct.id, 'two');
  expect(await history(cordelia, direct.id)).toMatchObject([
    { topic: '', content: 'one' },
    { topic: '', content: 'two', prev_content: 'one' },
  ]);
  const message = { type: 'channel', to: 'Denmark', topic: '', content: 'one' } as const;
  const { id } = await hamlet.client.messages.send(message);
  expect(await history(cordelia, id)).toMatchObject([{ topic: 'general chat' }]);
  const asked = { message_id: id, allow_empty_topic_name: true };
  const { message_history } = await cordelia.client.messages.history(asked);
  expect(message_history).toMatchObject([{ topic: '' }]);
});

describe('a long edit history', () => {
  beforeEach(() => resetRealmSettings(chat, { message_content_edit_limit_seconds: null }));
  const storedLength = async (id: MessageId) => {
    const { rows } = await sql<{ length: number }>`
      select length(edit_history::text) as length from message where id = ${id}`.execute(
      chat.server.app.db.kysely,
    );
    return rows[0]?.length ?? 0;
  };

  test('keeps the first 100 versions and the newest one of a message that is edited more often', async () => {
    const { hamlet } = chat.people;
    const id = await send('version 0');
    for (let n = 1; n <= 120; n++) await edit(id, `version ${n}`);
    const versions = await history(hamlet, id);
    expect(versions.map(({ content }) => content)).toEqual([
      ...Array.from({ length: 100 }, (_, n) => `version ${n}`),
      'version 120',
    ]);
    expect(versions.at(-1)).toMatchObject({ timestamp: now, prev_content: 'version 99' });
  });

  test('stops growing at 250,000 characters, and its message can still be edited and moved', async () => {
    const { hamlet } = chat.people;
    const text = (n: number) => `${n} ${'long words '.repeat(900)}`;
    const id = await send(text(0));
    for (let n = 1; n <= 20; n++) await edit(id, text(n));
    const full = await storedLength(id);
    expect(full).toBeLessThan(275_000);
    for (let n = 21; n <= 30; n++) await edit(id, text(n));
    await hamlet.client.messages.edit({ message_id: id, topic: 'elsewhere' });
    expect(await storedLength(id)).toBeLessThan(full + 200);
    const versions = await history(hamlet, id);
    expect(versions[0]).toMatchObject({ content: text(0).trim(), topic: 'plans' });
    expect(versions.at(-1)).toMatchObject({ content: text(30).trim(), topic: 'elsewhere' });
  });

  test('of older messages comes without contents if a page has more than a million characters', async () => {
    const { hamlet } = chat.people;
    const ids: MessageId[] = [];
    for (let n = 0; n < 8; n++) ids.push(await send(`page ${n}`));
    const entry = {
      user_id: hamlet.user.id,
      timestamp: now,
      prev_content: 'x'.repeat(250_000),
      prev_rendered_content: '<p>x</p>',
    };
    await sql`update message set edit_history = ${JSON.stringify([entry])}::jsonb
      where id = any(${ids}::bigint[])`.execute(chat.server.app.db.kysely);
    const { messages } = await hamlet.client.messages.fetch({ message_ids: ids });
    const isWhole = messages.map(({ edit_history }) => 'prev_content' in (edit_history?.[0] ?? {}));
    expect(isWhole).toEqual([...Array<boolean>(4).fill(false), ...Array<boolean>(4).fill(true)]);
    expect(messages[0]?.edit_history).toEqual([{ user_id: hamlet.user.id, timestamp: now }]);
    expect(await history(hamlet, ids[0] as MessageId)).toMatchObject([
      { content: entry.prev_content },
      { content: 'page 0' },
    ]);
  });
});
