import { createHmac } from 'node:crypto';

import { expect } from 'vitest';

import { status } from './scripted-bot.ts';
import type { Scenario } from './webhook-bot.ts';

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
  `a response of ${body} posts nothing`,
  async (fixture) => {
    fixture.hook.answers(status(202, body, { 'content-type': 'text/html' }));
    await fixture.direct();
    expect(fixture.hook.received).toHaveLength(1);
    expect(await fixture.directReplies()).toEqual([]);
    expect(await fixture.ownerNotices()).toEqual([]);
  },
]);

const poll = JSON.stringify({
  widget_type: 'poll',
  extra_data: { question: 'Tea?', options: ['yes', 'no'] },
});

const replies: readonly Scenario[] = (
  [
    ['response_string rather than content', { response_string: 'old', content: 'new' }, 'old'],
    [
      'content with a false response_not_required',
      { response_not_required: [], content: 'said' },
      'said',
    ],
    ['a number as content', { content: 5 }, '5'],
    ['an object as content', { content: { a: [1] } }, '{"a":[1]}'],
    ['content beside unknown keys', { content: 'said', to: 'elsewhere', topic: 'x' }, 'said'],
    ['content with a widget', { content: '/poll Tea?', widget_content: poll }, '/poll Tea?'],
    ['content with a null widget', { content: 'said', widget_content: null }, 'said'],
    [
      'response_string beside an invalid widget',
      { response_string: 'said', widget_content: 1 },
      'said',
    ],
    ['content with white space at its end', { content: '\n\n said  \n' }, ' said'],
  ] satisfies readonly [string, object, string][]
).map(([name, answer, said]) => [
  `a reply is read from ${name}`,
  async (fixture) => {
    fixture.hook.answers(JSON.stringify(answer));
    await fixture.mention();
    expect(await fixture.repliesIn()).toEqual([said]);
  },
]);

const widgets: readonly Scenario[] = [
  [
    'the message of a reply has the widget of the response as its submessage',
    async (fixture) => {
      fixture.hook.answers(JSON.stringify({ content: 'vote', widget_content: poll }));
      await fixture.direct();
      const { messages } = fixture.client(fixture.bot);
      const found = await messages.fetch({ anchor: 'newest', num_before: 1 });
      const [widget] = found.messages[0]?.submessages ?? [];
      expect(widget).toMatchObject({ msg_type: 'widget', sender_id: fixture.bot.user_id });
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
    'the payload has the documented keys and a signature made with the token',
    async (fixture) => {
      await fixture.mention('@**' + fixture.bot.full_name + '** good **morning**');
      const [{ headers, body } = { headers: {}, body: '' }] = fixture.hook.received;
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
      const { bot } = fixture;
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
    'the notice to the owner quotes the response without the token',
    async (fixture) => {
      fixture.hook.answers(status(500, `failed for ${fixture.bot.token}`));
      await fixture.mention();
      const [told = ''] = await fixture.ownerNotices();
      expect(told).toContain('failed for');
      expect(told).not.toContain(fixture.bot.token);
    },
  ],
  [
    'a reply of more than 10,000 characters is truncated',
    async (fixture) => {
      fixture.hook.answers(JSON.stringify({ content: 'x'.repeat(12_000) }));
      await fixture.mention();
      const [said = ''] = await fixture.repliesIn();
      expect(said).toHaveLength(10_000);
      expect(said).toMatch(/x\n\[message truncated\]$/);
    },
  ],
];

const asSlack = { interface: 'slack' } as const;

const slack: readonly Scenario[] = [
  [
    'a Slack-compatible bot gets a mention as a form and replies with `text`',
    async (fixture) => {
      fixture.hook.answers('{"text":"as Slack would","content":"not this"}');
      await fixture.mention();
      const [{ headers, body } = { headers: {}, body: '' }] = fixture.hook.received;
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
        token: fixture.bot.token,
        channel_name: 'stage',
        user_id: `U${fixture.chat.cordelia.user_id}`,
        user_name: 'Cordelia',
        text: `@**${fixture.bot.full_name}** hi`,
        trigger_word: 'mention',
        service_id: String(fixture.bot.user_id),
      });
      expect(await fixture.repliesIn()).toEqual(['as Slack would']);
    },
    asSlack,
  ],
  [
    'a direct message to a Slack-compatible bot fails without a request',
    async (fixture) => {
      await fixture.direct();
      expect(fixture.hook.received).toHaveLength(0);
      expect(await fixture.directReplies()).toEqual([expect.stringMatching(/^Failure! /)]);
      expect(await fixture.ownerNotices()).toEqual([]);
    },
    asSlack,
  ],
];

/** The payloads and answers of a webhook, in scenarios in which both servers behave alike. */
export const webhookScenarios: readonly Scenario[] = [
  ...silences,
  ...replies,
  ...widgets,
  ...wire,
  ...slack,
];
