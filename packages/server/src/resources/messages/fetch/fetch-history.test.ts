import type { MessageId } from '@bellhop/protocol';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

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
});
