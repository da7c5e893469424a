import { createClient } from '@bellhop/client';
import { recordStatements } from '@bellhop/postgres/testing';
import type { ChannelId } from '@bellhop/protocol';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { startTestChat, type TestChat } from '../../../test-chat.fixture.ts';
import { addChannel } from '../../channels/channels.fixture.ts';
import { addWebhookBot } from '../../webhooks/webhooks.fixture.ts';

let chat: TestChat;
let denmark: ChannelId;
beforeEach(async () => {
  chat = await startTestChat();
  const { hamlet, cordelia } = chat.people;
  denmark = await addChannel(chat, { name: 'Denmark', subscribers: [hamlet, cordelia] });
  // Its sender follows the topic from now on, and the channel has a first message.
  await send('first');
});
afterEach(() => chat[Symbol.asyncDispose]());

const send = (content: string, topic = 'castle') =>
  chat.people.hamlet.client.messages.send({ type: 'channel', to: 'Denmark', topic, content });

const purposes: readonly (readonly [RegExp, string])[] = [
  [/^begin/, 'begin'],
  [/has_subscribers/, 'find the channel'],
  [/nextval\('message_id_seq'\)/, 'take an id'],
  [/insert into message /, 'store the message'],
  [/update event_counter/, 'add the event'],
  [/read_through >= n\.id/, 'catch late subscriptions'],
  [/^commit/, 'commit'],
  [/lower\(full_name\) = any/, 'find people by name'],
  [/^\s*select s\.user_id from unnest/, 'find who of them is subscribed'],
  [/insert into user_topic/, 'follow the topic'],
  [/left join user_topic/, 'find who follows where they are mentioned'],
  [/join alert_word/, 'find alert words'],
  [/join muted_user/, 'find who has muted the sender'],
  [/join bot_topic/, 'find listening bots'],
];

/** What the statements of the transaction that stores this message are for; unknown ones as they are. */
async function statementsOf(...message: Parameters<typeof send>): Promise<string[]> {
  using recorded = recordStatements();
  await send(...message);
  const stored = recorded.transactions.find((texts) =>
    texts.some((text) => text.includes('insert into message ')),
  );
  return (stored ?? []).map((text) => purposes.find(([known]) => known.test(text))?.[1] ?? text);
}

const plain = [
  'begin',
  'find the channel',
  'take an id',
  'store the message',
  'add the event',
  'catch late subscriptions',
  'commit',
];

test('a message that uses nothing sends no statement for what it does not use', async () => {
  expect(await statementsOf('hello')).toEqual(plain);
});

interface Feature {
  readonly setUp?: () => Promise<unknown>;
  readonly content?: string;
  readonly topic?: string;
  /** What the statements are for that the plain message does not send. */
  readonly adds: readonly string[];
}

test.each<[string, Feature]>([
  ['a link', { content: 'see https://example.com/', adds: [] }],
  [
    'a linkifier',
    {
      setUp: () =>
        chat.people.iago.client.linkifiers.add({
          pattern: '#(?<id>[0-9]+)',
          url_template: 'https://example.com/{id}',
        }),
      content: 'see #12',
      adds: [],
    },
  ],
  ['a new topic', { topic: 'garden', adds: ['follow the topic'] }],
  [
    'a mention',
    {
      content: 'hello @**Cordelia**',
      adds: [
        'find people by name',
        'find who of them is subscribed',
        'find who follows where they are mentioned',
        'follow the topic',
      ],
    },
  ],
  [
    'alert words in its realm',
    {
      setUp: () => chat.people.cordelia.client.alertWords.add({ alert_words: ['skull'] }),
      adds: ['find alert words'],
    },
  ],
  [
    'a muted user in its realm',
    {
      setUp: () =>
        chat.people.cordelia.client.mutedUsers.add({ user_id: chat.people.iago.user.id }),
      adds: ['find who has muted the sender'],
    },
  ],
  [
    'a listening bot in its realm',
    {
      setUp: async () => {
        const { api_key } = await addWebhookBot(chat, 'http://127.0.0.1:9/', {
          full_name: 'Listener',
          short_name: 'listener',
        });
        const bot = createClient({
          url: chat.url,
          email: 'listener-bot@chat.test',
          apiKey: api_key,
        });
        await bot.botTopics.subscribe({ stream_id: denmark, topic: 'garden', expires_in: 60 });
      },
      adds: ['find listening bots'],
    },
  ],
])('%s: the message sends the statements of that, and no others', async (_name, feature) => {
  const { setUp, content = 'hello', topic = 'castle', adds } = feature;
  await setUp?.();
  const statements = await statementsOf(content, topic);
  expect(statements.filter((one) => !plain.includes(one))).toEqual(adds);
});
