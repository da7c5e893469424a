import type { ChannelId, MessageId } from '@bellhop/protocol';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { commitTogether } from '../../../commit-together.fixture.ts';
import { lockRendered } from '../../../model/messages/edit/queries.ts';
import { startTestChat, type TestChat } from '../../../test-chat.fixture.ts';
import { addChannel } from '../../channels/channels.fixture.ts';
import { listen } from '../../queues/listen.fixture.ts';
import { replaceRendering } from '../edit/replace-rendering.ts';

let chat: TestChat;
let to: ChannelId;
let message_id: MessageId;
/** The last message of the same topic. */
let last: MessageId;
beforeAll(async () => {
  chat = await startTestChat();
  const { iago, hamlet, cordelia } = chat.people;
  to = await addChannel(chat, { name: 'Denmark', subscribers: [iago, hamlet, cordelia] });
});
beforeEach(async () => {
  const message = { type: 'channel', to, topic: 'plans', content: 'x' } as const;
  message_id = (await chat.people.hamlet.client.messages.send(message)).id;
  last = (await chat.people.hamlet.client.messages.send(message)).id;
});
afterAll(() => chat[Symbol.asyncDispose]());

/** Cordelia changes her flag of the message. */
const flag = (op: 'add' | 'remove', name: 'read' | 'starred') =>
  chat.people.cordelia.client.messages.setFlag({ messages: [message_id], op, flag: name });
const edit = (fields: { content: string } | { topic: string }) =>
  chat.people.hamlet.client.messages.edit({ message_id, ...fields });
const showPreview = () =>
  chat.server.app.change(chat.realm, async (change) => {
    const message = await lockRendered(change.db, chat.realm.id, message_id);
    if (!message) throw new Error('no message');
    const rendered_content = '<p>preview</p>';
    await replaceRendering(change, { realm: chat.realm, message, rendered_content, now: 1 });
  });

test.each([
  ['edited', () => edit({ content: 'y' })],
  ['moved', () => edit({ topic: 'deeds' })],
  ['rendered anew', showPreview],
] as const)(
  'a message that is %s while a reader stars it keeps the star for the clients of the reader',
  async (_name, change) => {
    const queue = await listen(chat.people.cordelia);
    await commitTogether(chat, [() => flag('add', 'starred'), change]);
    const events = (await queue.all()).filter(({ type }) => type.startsWith('update_message'));
    expect(events).toMatchObject([
      { type: 'update_message_flags', op: 'add', flag: 'starred' },
      { type: 'update_message', flags: ['starred'] },
    ]);
  },
);

/** Iago moves the topic of the message. */
const moveTopic = (to: { topic: string } | { stream_id: ChannelId }) =>
  chat.people.iago.client.messages.edit({
    message_id: last,
    propagate_mode: 'change_all',
    ...to,
  });

test('a message that becomes unread while its topic is moved is unread in the new topic', async () => {
  await flag('add', 'read');
  const queue = await listen(chat.people.cordelia);
  await commitTogether(chat, [() => moveTopic({ topic: 'deeds' }), () => flag('remove', 'read')]);
  const events = (await queue.all()).filter(({ type }) => type.startsWith('update_message'));
  expect(events).toMatchObject([
    { type: 'update_message', subject: 'deeds' },
    { type: 'update_message_flags', message_details: { [message_id]: { topic: 'deeds' } } },
  ]);
});

test('a message that becomes unread while its topic is moved to a channel without the reader stays read', async () => {
  const { hamlet, cordelia, iago } = chat.people;
  const stream_id = await addChannel(chat, { name: 'England', subscribers: [hamlet, iago] });
  await flag('add', 'read');
  await commitTogether(chat, [() => moveTopic({ stream_id }), () => flag('remove', 'read')]);
  const { message } = await cordelia.client.messages.fetchOne({ message_id });
  expect(message).toMatchObject({ stream_id, flags: ['read'] });
});
