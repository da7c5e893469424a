import { createClient } from '@bellhop/client';
import type { AskOf, Api, UserId } from '@bellhop/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { addChannel } from '../channels/channels.fixture.ts';
import { listen, type TestQueue } from './listen.fixture.ts';

let chat: TestChat;
let count = 0;
beforeAll(async () => {
  chat = await startTestChat();
  const { hamlet, iago } = chat.people;
  for (const name of ['verona', 'venice', 'council'])
    await addChannel(chat, {
      name,
      subscribers: [iago, ...(name === 'council' ? [hamlet] : [])],
      invite_only: name === 'council',
    });
});
afterAll(() => chat[Symbol.asyncDispose]());

type NewBot = Partial<AskOf<Api['bots']['create']>>;

/** A bot of hamlet with these defaults, subscribed to these channels. */
async function addBot(defaults: NewBot, channels: readonly string[] = []) {
  const { hamlet, iago } = chat.people;
  const short_name = `bot${++count}`;
  const bot = await hamlet.client.bots.create({ full_name: short_name, short_name, ...defaults });
  const subscriptions = channels.map((name) => ({ name }));
  if (channels.length > 0)
    await iago.client.subscriptions.add({ subscriptions, principals: [bot.user_id as UserId] });
  const email = `${short_name}-bot@chat.test`;
  return { client: createClient({ url: chat.url, email, apiKey: bot.api_key }), ...bot };
}

/** Sends a message to each channel. */
async function sendToAll(): Promise<void> {
  const { client } = chat.people.iago;
  for (const to of ['verona', 'venice', 'council'])
    await client.messages.send({ type: 'channel', to, topic: 'news', content: to });
}

const contentsOf = async ({ messages }: TestQueue) =>
  (await messages()).map(({ message }) => (message as { content: string }).content);

/** The contents of the messages that a queue gets with these parameters. */
async function heard(
  bot: Awaited<ReturnType<typeof addBot>>,
  asked: AskOf<Api['queues']['register']> = {},
): Promise<unknown[]> {
  const queue = await listen(bot, asked);
  await sendToAll();
  return contentsOf(queue);
}

test('a bot with default_all_public_streams hears all public channels unless it asks for false', async () => {
  const bot = await addBot({ default_all_public_streams: true });
  expect(await heard(bot)).toEqual(['verona', 'venice']);
  expect(await heard(bot, { all_public_streams: false })).toEqual([]);
});

test('a bot without default_all_public_streams hears all public channels only if it asks for them', async () => {
  const bot = await addBot({});
  expect(await heard(bot)).toEqual([]);
  expect(await heard(bot, { all_public_streams: true })).toEqual(['verona', 'venice']);
});

test('a bot with a default_events_register_stream hears only this channel, also under a new name, unless it names a narrow', async () => {
  const bot = await addBot({ default_events_register_stream: 'verona' }, ['verona', 'venice']);
  expect(await heard(bot)).toEqual(['verona']);
  expect(await heard(bot, { narrow: [] })).toEqual(['verona']);
  expect(await heard(bot, { narrow: [['channel', 'venice']] })).toEqual(['venice']);
  const queue = await listen(bot);
  const { stream_id } = await chat.people.iago.client.channels.id({ stream: 'verona' });
  const rename = (new_name: string) =>
    chat.people.desdemona.client.channels.update({ stream_id, new_name });
  await rename('milan');
  const sent = { type: 'channel', to: 'milan', topic: 'news', content: 'renamed' } as const;
  await chat.people.iago.client.messages.send(sent);
  await rename('verona');
  expect(await contentsOf(queue)).toContain('renamed');
});

test('a bot that may not see its default_events_register_stream hears the channels that it is subscribed to', async () => {
  const bot = await addBot({ default_events_register_stream: 'council' }, ['venice']);
  expect(await heard(bot)).toEqual(['venice']);
});

test('both defaults of a bot together let it hear one public channel without a subscription', async () => {
  const bot = await addBot({
    default_all_public_streams: true,
    default_events_register_stream: 'verona',
  });
  expect(await heard(bot)).toEqual(['verona']);
});
