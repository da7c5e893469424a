import { describe, expect, test } from 'vitest';

import { fetchHandler } from './adapters/fetch-handler.ts';
import { createBot } from './create-bot.ts';
import { slackForm } from './example-payload.fixture.ts';

// Hand-written payloads in the forms of old and new servers.
const bot = createBot({ email: 'echo-bot@chat.test', token: 'T'.repeat(32) })
  .on('mention', ({ message, text }) => `#${message.channel.name} > ${message.topic}: ${text}`)
  .on('direct_message', ({ message, text }) => `${message.recipients.length}: ${text}`);
const answer = fetchHandler([bot]);

const about = {
  bot_email: 'echo-bot@chat.test',
  bot_full_name: 'Echo Bot',
  token: 'T'.repeat(32),
};
const person = (id: number, name: string) => ({
  id,
  email: `${name.toLowerCase()}@chat.test`,
  full_name: name,
  is_mirror_dummy: false,
});
let id = 1000;
const message = (more: object) => ({
  id: ++id,
  sender_id: 7,
  sender_email: 'iago@chat.test',
  sender_full_name: 'Iago',
  sender_realm_str: '',
  avatar_url: 'https://chat.test/avatar/7',
  client: 'website',
  content_type: 'text/x-markdown',
  timestamp: 1_790_000_000,
  is_me_message: false,
  reactions: [],
  submessages: [],
  topic_links: [],
  recipient_id: 12,
  ...more,
});
const stream = (more: object = {}) =>
  message({
    type: 'stream',
    stream_id: 3,
    display_recipient: 'ops',
    subject: 'releases',
    content: '@**Echo Bot** hi',
    rendered_content: '<p><span class="user-mention" data-user-id="9">@Echo Bot</span> hi</p>',
    ...more,
  });
const direct = (more: object = {}) =>
  message({
    type: 'private',
    display_recipient: [person(7, 'Iago'), person(9, 'Echo')],
    subject: '',
    content: 'hi',
    rendered_content: '<p>hi</p>',
    ...more,
  });

const post = (body: string, type = 'application/json') =>
  answer(
    new Request('http://bots.test/', {
      method: 'POST',
      body,
      headers: { 'content-type': type },
    }),
  );

const good: Record<string, { payload: object; reply: string }> = {
  'a mention': {
    payload: { ...about, trigger: 'mention', data: '@**Echo Bot** hi', message: stream() },
    reply: '#ops > releases: hi',
  },
  'a mention with the id of the bot': {
    payload: {
      ...about,
      trigger: 'mention',
      data: '',
      message: stream({ content: '@**Echo Bot|9** hi' }),
    },
    reply: '#ops > releases: hi',
  },
  'a message whose content is rendered, as clients get it': {
    payload: {
      ...about,
      trigger: 'mention',
      data: '@**Echo Bot** <hi> & *you*',
      message: stream({ content: '<p>@Echo Bot &lt;hi&gt;</p>', content_type: 'text/html' }),
    },
    reply: '#ops > releases: <hi> & *you*',
  },
  'an empty topic': {
    payload: { ...about, trigger: 'mention', data: '', message: stream({ subject: '' }) },
    reply: '#ops > : hi',
  },
  'a direct message': {
    payload: { ...about, trigger: 'direct_message', data: 'hi', message: direct() },
    reply: '2: hi',
  },
  'a group direct message': {
    payload: {
      ...about,
      trigger: 'direct_message',
      data: 'hi',
      message: direct({
        display_recipient: [person(7, 'Iago'), person(8, 'Othello'), person(9, 'Echo')],
      }),
    },
    reply: '3: hi',
  },
  'the trigger of servers before feature level 201': {
    payload: { ...about, trigger: 'private_message', data: 'hi', message: direct() },
    reply: '2: hi',
  },
  'a message that was edited, with reactions of unknown kinds and keys of the future': {
    payload: {
      ...about,
      trigger: 'mention',
      data: '',
      later: { x: 1 },
      message: stream({
        edit_history: [{ timestamp: 1, user_id: null, prev_topic: 'old' }],
        last_edit_timestamp: 1,
        reactions: [{ emoji_code: 'zulip', emoji_name: 'z', reaction_type: 'zulip_extra_emoji' }],
        flags: ['a_new_flag'],
        some_list: [1, 2],
      }),
    },
    reply: '#ops > releases: hi',
  },
  'an old server, without lists and rendered content': {
    payload: {
      ...about,
      trigger: 'direct_message',
      data: 'hi',
      message: {
        ...direct({ rendered_content: undefined }),
        reactions: undefined,
        submessages: undefined,
        topic_links: undefined,
        recipient_id: undefined,
      },
    },
    reply: '2: hi',
  },
};

test.each(Object.entries(good))('%s', async (_what, { payload, reply }) => {
  const response = await post(JSON.stringify(payload));
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ content: reply });
});

test('a delivery in the Slack-compatible form is answered without a topic', async () => {
  const form = new URLSearchParams({ ...slackForm, token: about.token });
  const response = await post(form.toString(), 'application/x-www-form-urlencoded');
  expect(await response.json()).toEqual({ text: '#ops > : hi' });
});

describe('a refused payload', () => {
  const mention = () => ({ ...about, trigger: 'mention', data: '', message: stream() });
  const texts = async (payloads: readonly unknown[], status: number) => {
    const answers = [];
    for (const payload of payloads) {
      const response = await post(JSON.stringify(payload));
      expect(response.status).toBe(status);
      answers.push(await response.text());
    }
    return new Set(answers);
  };

  test('a wrong token and an unknown bot get the same answer', async () => {
    const strangers = [
      { token: 'T'.repeat(31) },
      { token: 'T'.repeat(33) },
      { token: '' },
      { token: 'é'.repeat(32) },
      { bot_email: 'nobody@chat.test' },
      { bot_email: '' },
    ].map((wrong) => ({ ...mention(), ...wrong }));
    expect([...(await texts(strangers, 401))]).toHaveLength(1);
  });

  test('a malformed body gets 400 without details', async () => {
    const nonsense = [
      { ...mention(), token: 12 },
      { ...mention(), token: [about.token] },
      { ...mention(), message: [] },
      { ...mention(), message: { ...stream(), id: '1' } },
      { ...mention(), message: { ...stream(), content: null } },
      { ...mention(), trigger: 7 },
      { ...mention(), bot_email: null },
      [],
      'mention',
      null,
    ];
    expect([...(await texts(nonsense, 400))]).toHaveLength(1);
  });
});
