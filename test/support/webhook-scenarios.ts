import { createHmac } from 'node:crypto';

import { WebhookPayload } from '@bellhop/protocol';
import { expect } from 'vitest';

import { CLOSED, type Scenario, type Scene } from './bot-stage.ts';
import { status } from './scripted-bot.ts';

const payloadOf = ({ hook }: Scene, at = 0) =>
  WebhookPayload.parse(JSON.parse(hook.received[at]?.body ?? 'null'));
const idsIn = (place: string | readonly { id: number }[]) =>
  typeof place === 'string' ? [] : place.map(({ id }) => id).toSorted((a, b) => a - b);

const places: readonly Scenario[] = [
  [
    'a mention is answered in its topic',
    async (scene) => {
      scene.hook.answers('{"content":"hello *there*"}');
      const id = await scene.mention();
      expect(await scene.answersIn()).toEqual(['hello *there*']);
      expect(payloadOf(scene)).toMatchObject({ trigger: 'mention', message: { id } });
      expect(await scene.toldOwner()).toEqual([]);
    },
  ],
  [
    'the empty topic stays empty on both ways',
    async (scene) => {
      scene.hook.answers(`{"content":"to ${scene.bot.full_name}"}`);
      await scene.mention(undefined, { topic: '' });
      expect(payloadOf(scene).message.subject).toBe('');
      expect(await scene.answersIn({ topic: '' })).toEqual([`to ${scene.bot.full_name}`]);
    },
  ],
  [
    'a bot answers in a private channel it is not in',
    async (scene) => {
      scene.hook.answers('{"content":"psst"}');
      await scene.mention(undefined, { channel: CLOSED });
      expect(await scene.answersIn({ channel: CLOSED })).toEqual(['psst']);
    },
  ],
  [
    'a direct message is answered there',
    async (scene) => {
      scene.hook.answers('{"content":"yes?"}');
      await scene.direct();
      const { trigger, message } = payloadOf(scene);
      expect(trigger).toBe('direct_message');
      expect(message).toMatchObject({ type: 'private', subject: '' });
      expect(message).not.toHaveProperty('stream_id');
      expect(await scene.answersBetween()).toEqual(['yes?']);
    },
  ],
  [
    'a group direct message lists everybody and is answered to all',
    async (scene) => {
      scene.hook.answers('{"content":"to all"}');
      const { hamlet, cordelia } = scene.chat;
      await scene.direct('hi', [hamlet]);
      const everybody = [scene.bot, hamlet, cordelia].map(({ user_id }) => user_id);
      expect(idsIn(payloadOf(scene).message.display_recipient)).toEqual(
        everybody.toSorted((a, b) => a - b),
      );
      expect(await scene.answersBetween(hamlet)).toEqual(['to all']);
      expect(await scene.answersBetween()).toEqual([]);
    },
  ],
];

const triggers: readonly Scenario[] = (
  [
    ['a mention by name and id', ({ bot }) => `@**${bot.full_name}|${bot.user_id}** hi`, 1],
    ['a mention in small letters', ({ bot }) => `@**${bot.full_name.toLowerCase()}** hi`, 1],
    ['two mentions', ({ bot }) => `@**${bot.full_name}** @**${bot.full_name}**`, 1],
    ['a mention in brackets', ({ bot }) => `hi (@**${bot.full_name}**)`, 1],
    ['a mention in the second line', ({ bot }) => `hi\n@**${bot.full_name}**`, 1],
    ['no mention', ({ bot }) => `${bot.full_name} hi`, 0],
    ['a mention inside a word', ({ bot }) => `mail@**${bot.full_name}**`, 0],
    ['a silent mention', ({ bot }) => `@_**${bot.full_name}** hi`, 0],
    ['a mention in code', ({ bot }) => `\`@**${bot.full_name}**\` hi`, 0],
    ['a mention in double code', ({ bot }) => `\`\` a \` @**${bot.full_name}** \`\` hi`, 0],
    ['a mention in a code block', ({ bot }) => `\`\`\`\n@**${bot.full_name}**\n\`\`\``, 0],
    ['a mention after a code block', ({ bot }) => `~~~\nx\n~~~\n@**${bot.full_name}**`, 1],
    ['a quoted mention', ({ bot }) => `> @**${bot.full_name}** hi`, 0],
    ['everybody', () => '@**all** @**everyone** @**channel**', 0],
    ['nobody of that name', () => '@**Nobody** hi', 0],
  ] satisfies readonly [string, (scene: Scene) => string, number][]
).map(([name, content, expected]) => [
  `${name}: told ${expected} times`,
  async (scene) => {
    await scene.mention(content(scene));
    expect(scene.hook.received).toHaveLength(expected);
  },
]);

const loops: readonly Scenario[] = [
  [
    'what a bot says concerns no bot',
    async (scene) => {
      const { bot, topic, hook, chat } = scene;
      const { messages } = scene.client(bot);
      const content = `@**${bot.full_name}** again`;
      await messages.send({ type: 'direct', to: [bot.user_id, chat.cordelia.user_id], content });
      await messages.send({ type: 'channel', to: 'stage', topic, content });
      await chat.settled();
      expect(hook.received).toHaveLength(0);
    },
  ],
  [
    'a reply that mentions its bot is no new message to it',
    async (scene) => {
      scene.hook.answers(JSON.stringify({ content: `@**${scene.bot.full_name}** me` }));
      await scene.mention();
      expect(scene.hook.received).toHaveLength(1);
    },
  ],
];

const silences: readonly Scenario[] = [
  '{}',
  '{"response_not_required":true,"content":"no"}',
  '{"response_not_required":"yes","response_string":"no"}',
  '{"content":"  "}',
  '{"content":null}',
  '{"response_string":"","content":"loses"}',
  '{"else":"unknown"}',
  '""',
].map((body) => [
  `${body} is silence`,
  async (scene) => {
    scene.hook.answers(status(202, body, { 'content-type': 'text/html' }));
    await scene.direct();
    expect(scene.hook.received).toHaveLength(1);
    expect(await scene.answersBetween()).toEqual([]);
    expect(await scene.toldOwner()).toEqual([]);
  },
]);

const poll = JSON.stringify({
  widget_type: 'poll',
  extra_data: { question: 'Tea?', options: ['yes', 'no'] },
});
const replies: readonly Scenario[] = (
  [
    ['response_string wins', { response_string: 'old', content: 'new' }, 'old'],
    ['a false response_not_required', { response_not_required: [], content: 'said' }, 'said'],
    ['a number', { content: 5 }, '5'],
    ['an object', { content: { a: [1] } }, '{"a":[1]}'],
    ['extra keys', { content: 'said', to: 'elsewhere', topic: 'x' }, 'said'],
    ['a widget', { content: '/poll Tea?', widget_content: poll }, '/poll Tea?'],
    ['no widget', { content: 'said', widget_content: null }, 'said'],
    ['a widget beside a response_string', { response_string: 'said', widget_content: 1 }, 'said'],
    ['white space at the end', { content: '\n\n said  \n' }, ' said'],
  ] satisfies readonly [string, object, string][]
).map(([name, answer, said]) => [
  `${name} is a reply`,
  async (scene) => {
    scene.hook.answers(JSON.stringify(answer));
    await scene.mention();
    expect(await scene.answersIn()).toEqual([said]);
  },
]);

const widgets: readonly Scenario[] = [
  [
    'the widget of a reply is kept with it',
    async (scene) => {
      scene.hook.answers(JSON.stringify({ content: 'vote', widget_content: poll }));
      await scene.direct();
      const { messages } = scene.client(scene.bot);
      const found = await messages.fetch({ anchor: 'newest', num_before: 1 });
      const [widget] = found.messages[0]?.submessages ?? [];
      expect(widget).toMatchObject({ msg_type: 'widget', sender_id: scene.bot.user_id });
      expect(JSON.parse(widget?.content ?? 'null')).toEqual(JSON.parse(poll));
    },
  ],
];

const messageKeys = [
  'avatar_url',
  'client',
  'content',
  'content_type',
  'display_recipient',
  'flags',
  'id',
  'is_me_message',
  'reactions',
  'recipient_id',
  'rendered_content',
  'sender_email',
  'sender_full_name',
  'sender_id',
  'sender_realm_str',
  'stream_id',
  'subject',
  'submessages',
  'timestamp',
  'topic_links',
  'type',
];
const wire: readonly Scenario[] = [
  [
    'the payload has these keys, and a signature by the token',
    async (scene) => {
      await scene.mention('@**' + scene.bot.full_name + '** good **morning**');
      const [{ headers, body } = { headers: {}, body: '' }] = scene.hook.received;
      const raw = JSON.parse(body) as Record<string, unknown> & { message: object };
      expect(Object.keys(raw).toSorted()).toEqual([
        'bot_email',
        'bot_full_name',
        'data',
        'message',
        'token',
        'trigger',
      ]);
      expect(Object.keys(raw.message).toSorted()).toEqual(messageKeys);
      const { bot } = scene;
      expect(raw).toMatchObject({
        bot_email: bot.email,
        bot_full_name: bot.full_name,
        token: bot.token,
        message: {
          content: raw['data'],
          content_type: 'text/x-markdown',
          sender_email: 'cordelia@chat.test',
          flags: [],
        },
      });
      expect(headers['content-type']).toBe('application/json');
      const id = String(headers['webhook-id']);
      const at = String(headers['webhook-timestamp']);
      const digest = createHmac('sha256', bot.token).update(`${id}.${at}.${body}`).digest('base64');
      expect(headers['webhook-signature']).toBe(`v1,${digest}`);
    },
  ],
  [
    'the token never reaches the owner in a quotation',
    async (scene) => {
      scene.hook.answers(status(500, `failed for ${scene.bot.token}`));
      await scene.mention();
      const [told = ''] = await scene.toldOwner();
      expect(told).toContain('failed for');
      expect(told).not.toContain(scene.bot.token);
    },
  ],
  [
    'a long reply is cut, not refused',
    async (scene) => {
      scene.hook.answers(JSON.stringify({ content: 'x'.repeat(12_000) }));
      await scene.mention();
      const [said = ''] = await scene.answersIn();
      expect(said).toHaveLength(10_000);
      expect(said).toMatch(/x\n\[message truncated\]$/);
    },
  ],
];

const asSlack = { interface: 'slack' } as const;
const slack: readonly Scenario[] = [
  [
    'the Slack-compatible form of a mention, and its answer',
    async (scene) => {
      scene.hook.answers('{"text":"as Slack would","content":"not this"}');
      await scene.mention();
      const [{ headers, body } = { headers: {}, body: '' }] = scene.hook.received;
      expect(headers['content-type']).toBe('application/x-www-form-urlencoded');
      const form = new URLSearchParams(body);
      expect([...form.keys()].toSorted()).toEqual([
        'channel_id',
        'channel_name',
        'service_id',
        'team_domain',
        'team_id',
        'text',
        'thread_ts',
        'timestamp',
        'token',
        'trigger_word',
        'user_id',
        'user_name',
      ]);
      expect(Object.fromEntries(form)).toMatchObject({
        token: scene.bot.token,
        channel_name: 'stage',
        user_id: `U${scene.chat.cordelia.user_id}`,
        user_name: 'Cordelia',
        text: `@**${scene.bot.full_name}** hi`,
        trigger_word: 'mention',
        service_id: String(scene.bot.user_id),
      });
      expect(await scene.answersIn()).toEqual(['as Slack would']);
    },
    asSlack,
  ],
  [
    'the Slack-compatible form has no direct messages',
    async (scene) => {
      await scene.direct();
      expect(scene.hook.received).toHaveLength(0);
      expect(await scene.answersBetween()).toEqual([expect.stringMatching(/^Failure! /)]);
      expect(await scene.toldOwner()).toEqual([]);
    },
    asSlack,
  ],
];

/** How a chat server treats outgoing webhook bots, whoever made it. */
export const webhookScenarios: readonly Scenario[] = [
  ...places,
  ...triggers,
  ...loops,
  ...silences,
  ...replies,
  ...widgets,
  ...wire,
  ...slack,
];
