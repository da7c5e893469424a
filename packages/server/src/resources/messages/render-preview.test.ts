import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { expectRefused } from '../../expect-refused.fixture.ts';
import { startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { addChannel } from '../channels/channels.fixture.ts';
import { listen } from '../queues/listen.fixture.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startTestChat();
  const { hamlet } = chat.people;
  await addChannel(chat, { name: 'denmark', subscribers: [hamlet] });
  await addChannel(chat, { name: 'council', subscribers: [hamlet], invite_only: true });
});
afterAll(() => chat[Symbol.asyncDispose]());

const rendered = async (content: string) =>
  (await chat.people.cordelia.client.messages.render({ content })).rendered;

describe('POST /messages/render', () => {
  test('renders as the message would be, with mentions and channel links', async () => {
    const { id } = chat.people.hamlet.user;
    expect(await rendered('**hi** @**Hamlet**')).toBe(
      `<p><strong>hi</strong> <span class="user-mention" data-user-id="${id}">@Hamlet</span></p>`,
    );
    expect(await rendered('#**denmark**')).toContain('class="stream"');
  });

  test('links no channel that the user may not see', async () => {
    expect(await rendered('#**council**')).toBe('<p>#<strong>council</strong></p>');
  });

  test('shows a mention of a group that the user may not mention', async () => {
    expect(await rendered('@*role:owners*')).toContain('user-group-mention');
  });

  test('empty content is empty, content with a null byte is refused', async () => {
    expect(await rendered(' \n')).toBe('');
    const asked = chat.ask(chat.people.cordelia, 'POST /messages/render', { content: 'a\0b' });
    await expectRefused(asked, 'BAD_REQUEST');
  });

  test('sends nothing', async () => {
    const { hamlet, cordelia } = chat.people;
    const queues = await Promise.all([hamlet, cordelia].map((one) => listen(one)));
    await rendered('@**all** hi');
    expect(await Promise.all(queues.map((queue) => queue.all()))).toEqual([[], []]);
  });
});

test('with translate_emoticons of the sender, emoticons in previews, new and edited messages are emoji', async () => {
  const { client, user } = await chat.addPerson('cheerful');
  const smile = expect.stringContaining('emoji-1f642') as string;
  const content = 'well done :)';
  expect(await rendered(content)).toBe('<p>well done :)</p>');
  await client.settings.update({ translate_emoticons: true });
  expect((await client.messages.render({ content })).rendered).toEqual(smile);
  const { id: message_id } = await client.messages.send({ type: 'direct', to: [user.id], content });
  const shown = async () => (await client.messages.fetchOne({ message_id })).message.content;
  expect(await shown()).toEqual(smile);
  await client.messages.edit({ message_id, content: 'edited :)' });
  expect(await shown()).toEqual(smile);
  expect(await shown()).toContain('edited');
});
