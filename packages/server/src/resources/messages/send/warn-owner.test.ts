import { createClient } from '@bellhop/client';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { type Person, startTestChat, type TestChat } from '../../../test-chat.fixture.ts';
import { addWebhookBot, inboxOf } from '../../webhooks/webhooks.fixture.ts';

let chat: TestChat;
let now = 1_800_000_000;
beforeAll(async () => {
  chat = await startTestChat({ now: () => now });
});
afterAll(() => chat[Symbol.asyncDispose]());

let made = 0;
/** A new bot of Hamlet's. */
async function newBot(): Promise<Person> {
  const name = `b${++made}`;
  const url = 'http://127.0.0.1:1/';
  const bot = await addWebhookBot(chat, url, { full_name: name, short_name: name });
  const { email, api_key } = bot;
  return { ...bot, client: createClient({ url: chat.url, email, apiKey: api_key }) };
}
const send = async (sender: Person, to: string) =>
  (await chat.ask(sender, 'POST /messages', { type: 'channel', to, topic: 'x', content: 'y' }))
    .body;

test('a bot that sends to a missing channel is refused, and the Notification Bot tells its owner', async () => {
  const bot = await newBot();
  const owner = await inboxOf(chat.people.hamlet);
  expect(await send(bot, 'atlantis')).toMatchObject({ code: 'STREAM_DOES_NOT_EXIST' });
  const warning = await owner.next();
  expect(warning).toMatchObject({
    type: 'private',
    sender_full_name: 'Notification Bot',
    content: `Your bot \`${bot.email}\` tried to send a message to the channel \`atlantis\`, but that channel does not exist.`,
  });
  expect(warning.display_recipient).toHaveLength(2);
});

test('a bot that sends to a channel without subscribers sends, and its owner is told', async () => {
  const { desdemona } = chat.people;
  await desdemona.client.subscriptions.add({ subscriptions: [{ name: 'desert' }] });
  await desdemona.client.subscriptions.remove({ subscriptions: ['desert'] });
  const owner = await inboxOf(chat.people.hamlet);
  expect(await send(await newBot(), 'desert')).toMatchObject({ result: 'success' });
  expect((await owner.next()).content).toMatch(/`desert`, but that channel has no subscribers\.$/);
});

test('the owner of a bot is told at most once a minute', async () => {
  const bot = await newBot();
  const owner = await inboxOf(chat.people.hamlet);
  for (const to of ['nowhere', '999999', 'nowhere']) await send(bot, to);
  await send(await newBot(), 'elsewhere');
  expect(await owner.rest()).toHaveLength(2);
  now += 61;
  await send(bot, '999999');
  expect((await owner.rest()).map(({ content }) => content)).toEqual([
    expect.stringContaining('channel with the ID 999999, but that channel does not exist.'),
  ]);
});

test('the name of a missing channel mentions nobody and is no Markdown', async () => {
  const owner = await inboxOf(chat.people.hamlet);
  const name = '`@**all** #**verona** `` [x](http://y.test)';
  await send(await newBot(), name);
  const { id } = await owner.next();
  const { message } = await chat.people.hamlet.client.messages.fetchOne({ message_id: id });
  expect(message.flags).not.toContain('wildcard_mentioned');
  expect(message.content).not.toContain('<a');
  expect(message.content).toContain('@**all** #**verona**');
});

test('a person who sends to a missing channel is told by the error only', async () => {
  const { hamlet, iago } = chat.people;
  const inboxes = [await inboxOf(hamlet), await inboxOf(iago)];
  expect(await send(iago, 'atlantis')).toMatchObject({ code: 'STREAM_DOES_NOT_EXIST' });
  for (const inbox of inboxes) expect(await inbox.rest()).toEqual([]);
});

test('a private channel that the bot may not see is reported like a missing channel', async () => {
  const { desdemona } = chat.people;
  await desdemona.client.subscriptions.add({
    subscriptions: [{ name: 'council' }],
    invite_only: true,
  });
  const owner = await inboxOf(chat.people.hamlet);
  expect(await send(await newBot(), 'council')).toMatchObject({ code: 'STREAM_DOES_NOT_EXIST' });
  expect((await owner.next()).content).toMatch(/`council`, but that channel does not exist\.$/);
});
