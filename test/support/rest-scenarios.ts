import type { Client } from '@bellhop/client';
import { PUBLIC_FEATURE_LEVEL } from '@bellhop/protocol';
import { expect } from 'vitest';

import { apiErrorOf, badRequest } from './api-error.ts';
import type { Login } from './chat-driver.ts';
import { registerQueue } from './event-queue.ts';
import { PRIVATE_CHANNEL, PUBLIC_CHANNEL, type Scenario, type WebhookBot } from './webhook-bot.ts';

type Call = (fixture: WebhookBot, client: Client) => Promise<unknown>;
const refusals: readonly Scenario[] = (
  [
    [
      'a message to an unknown channel name',
      (_, { messages }) =>
        messages.send({ type: 'stream', to: 'nowhere', topic: 't', content: 'x' }),
      { code: 'STREAM_DOES_NOT_EXIST', keys: ['stream'] },
    ],
    [
      'a message to an unknown channel id',
      (_, { messages }) => messages.send({ type: 'stream', to: 9999, topic: 't', content: 'x' }),
      { code: 'STREAM_DOES_NOT_EXIST', keys: ['stream_id'] },
    ],
    [
      'a channel message without a topic',
      (_, { messages }) => messages.send({ type: 'stream', to: PUBLIC_CHANNEL, content: 'x' }),
      badRequest,
    ],
    [
      'a message of a bot to a private channel that its owner is not in',
      ({ client, bot }) =>
        client(bot).messages.send({
          type: 'stream',
          to: PRIVATE_CHANNEL,
          topic: 't',
          content: 'x',
        }),
      { code: 'STREAM_DOES_NOT_EXIST' },
    ],
    [
      'a direct message without recipients',
      (_, { messages }) => messages.send({ type: 'direct', to: [], content: 'x' }),
      badRequest,
    ],
    [
      'a direct message to a number instead of a list',
      ({ bot }, { messages }) => messages.send({ type: 'direct', to: bot.user_id, content: 'x' }),
      badRequest,
    ],
    [
      'a direct message to ids and addresses mixed',
      ({ bot }, { messages }) =>
        messages.send({ type: 'direct', to: [bot.user_id, 'hamlet@chat.test'], content: 'x' }),
      badRequest,
    ],
    [
      'a direct message to an unknown address',
      (_, { messages }) => messages.send({ type: 'direct', to: 'who@chat.test', content: 'x' }),
      badRequest,
    ],
    [
      'a direct message to an unknown id',
      (_, { messages }) => messages.send({ type: 'direct', to: [99_999], content: 'x' }),
      badRequest,
    ],
    [
      'a message of white space',
      ({ bot }, { messages }) =>
        messages.send({ type: 'direct', to: [bot.user_id], content: ' \n ' }),
      badRequest,
    ],
    [
      'a message with an invalid widget',
      ({ bot }, { messages }) =>
        messages.send({
          type: 'direct',
          to: [bot.user_id],
          content: 'x',
          widget_content: '{"widget_type":"slot machine"}',
        }),
      badRequest,
    ],
    [
      'a narrow to an unknown channel',
      (_, { messages }) =>
        messages.fetch({
          anchor: 'newest',
          num_before: 1,
          narrow: [{ operator: 'channel', operand: 'nowhere' }],
        }),
      { code: 'BAD_NARROW', keys: ['desc'] },
    ],
    [
      'a narrow with an unknown operator',
      (_, { messages }) =>
        messages.fetch({
          anchor: 'newest',
          num_before: 1,
          narrow: [{ operator: 'mood', operand: 'good' }],
        }),
      { code: 'BAD_NARROW', keys: ['desc'] },
    ],
    [
      'a fetch without an anchor',
      (_, { messages }) => messages.fetch({ num_before: 1 }),
      badRequest,
    ],
    [
      'a fetch of an unknown message',
      (_, { messages }) => messages.fetchOne({ message_id: 999_999 as never }),
      badRequest,
    ],
    [
      'a poll of an unknown queue',
      (_, { queues }) => queues.events({ queue_id: 'gone', last_event_id: -1 }),
      { code: 'BAD_EVENT_QUEUE_ID', keys: ['queue_id'] },
    ],
    [
      'a queue with a search narrow',
      (_, { queues }) => queues.register({ narrow: [{ operator: 'search', operand: 'x' }] }),
      badRequest,
    ],
    [
      'a typing notice without recipients',
      (_, { typing }) => typing.send({ op: 'start', to: [] }),
      badRequest,
    ],
  ] satisfies readonly [string, Call, object][]
).map(([name, call, expected]) => [
  `${name} is refused`,
  async (fixture) => {
    const answer = apiErrorOf(call(fixture, fixture.client(fixture.chat.cordelia)));
    expect(await answer).toMatchObject(expected);
  },
]);

const credentials: readonly Scenario[] = [
  [
    'a request without valid credentials is refused with 401',
    async ({ chat, client }) => {
      const profileOf = (who: Login) => apiErrorOf(client(who).users.me());
      expect(await profileOf({ ...chat.hamlet, apiKey: 'x'.repeat(32) })).toMatchObject({
        code: 'UNAUTHORIZED',
        status: 401,
      });
      const stranger = { ...chat.hamlet, email: 'who@chat.test' };
      expect(await profileOf(stranger)).toMatchObject({ code: 'UNAUTHORIZED', status: 401 });
      const response = await fetch(`${chat.url}/api/v1/users/me`);
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({ result: 'error', code: 'UNAUTHORIZED' });
      expect(response.headers.get('www-authenticate')).toContain('Basic');
    },
  ],
  [
    'a bot fetches its own profile and the list of users',
    async ({ chat, client, bot }) => {
      const me = await client(bot).users.me();
      expect(me).toMatchObject({
        user_id: bot.user_id,
        email: bot.email,
        full_name: bot.full_name,
        is_bot: true,
        bot_type: 3,
        bot_owner_id: chat.hamlet.user_id,
      });
      const { members } = await client(bot).users.list();
      expect(members.find((one) => one.user_id === bot.user_id)).toMatchObject({ is_bot: true });
      expect(await client(bot).serverSettings.get()).toMatchObject({
        svc_feature_level: 420,
        zulip_feature_level: PUBLIC_FEATURE_LEVEL,
      });
    },
  ],
];

const reading: readonly Scenario[] = [
  [
    'a bot fetches messages by channel, topic, sender, direct messages and mentions',
    async (fixture) => {
      const { bot, chat, topic, client } = fixture;
      const mention = await fixture.mention();
      const direct = await fixture.direct('one');
      const group = await fixture.direct('two', [chat.hamlet]);
      const { messages } = client(bot);
      await client(chat.cordelia).subscriptions.add({
        subscriptions: [{ name: PUBLIC_CHANNEL }],
        principals: [bot.email],
      });
      const seen = await fixture.mention();
      const find = async (...narrow: { operator: string; operand: string | number[] }[]) =>
        (await messages.fetch({ anchor: 'newest', num_before: 100, narrow })).messages.map(
          ({ id }) => id as number,
        );
      const here = { operator: 'topic', operand: topic.toUpperCase() };
      expect(await find({ operator: 'stream', operand: PUBLIC_CHANNEL }, here)).toEqual([
        mention,
        seen,
      ]);
      expect(await find(here)).toEqual([seen]);
      expect(await find({ operator: 'is', operand: 'dm' })).toEqual([direct, group]);
      expect(await find({ operator: 'is', operand: 'mentioned' })).toEqual([seen]);
      expect(await find({ operator: 'dm', operand: [chat.cordelia.user_id] })).toEqual([direct]);
      expect(await find({ operator: 'sender', operand: 'cordelia@chat.test' }, here)).toEqual([
        seen,
      ]);
      const page = await messages.fetch({ anchor: 'oldest', num_after: 1 });
      expect(page.messages.map(({ id }) => id)).toEqual([direct]);
      expect(page).toMatchObject({ found_oldest: true, found_newest: false });
      const one = await messages.fetchOne({ message_id: seen as never, apply_markdown: false });
      expect(one).toMatchObject({ raw_content: `@**${bot.full_name}** hi` });
      expect(one.message.flags).toContain('mentioned');
    },
  ],
  [
    'a bot sends by REST to a channel and topic given as text or list',
    async ({ client, bot, topic, repliesIn }) => {
      const { messages } = client(bot);
      const send = { type: 'channel', to: PUBLIC_CHANNEL, content: 'by REST' } as const;
      await messages.send({ ...send, topic });
      expect(await repliesIn()).toEqual(['by REST']);
      await messages.send({ ...send, to: [PUBLIC_CHANNEL], topic: `  ${topic}  ` });
      expect(await repliesIn()).toEqual(['by REST', 'by REST']);
    },
  ],
];

const events: readonly Scenario[] = [
  [
    'an event queue brings messages with their flags and the local id',
    async ({ client, bot, chat, direct, mention, topic }) => {
      const { messages, subscriptions } = client(bot);
      await subscriptions.add({ subscriptions: [{ name: PUBLIC_CHANNEL }] });
      const queue = await registerQueue(client(bot), { event_types: ['message'] });
      const received = await direct('hi');
      const mentioned = await mention();
      const { id } = await messages.send({
        type: 'direct',
        to: [chat.cordelia.user_id],
        content: 'answer',
        queue_id: queue.queue_id,
        local_id: '7.1',
      });
      const heard = await queue.nextEvents(3);
      expect(heard).toMatchObject([
        { type: 'message', message: { id: received, content: 'hi', type: 'private' }, flags: [] },
        { type: 'message', message: { id: mentioned, subject: topic }, flags: ['mentioned'] },
        { type: 'message', message: { id, sender_email: bot.email }, local_message_id: '7.1' },
      ]);
    },
  ],
  [
    'an event queue brings only events that match its types and narrow',
    async ({ client, chat, direct, mention, bot }) => {
      const { cordelia } = chat;
      const direct_only = await registerQueue(client(cordelia), {
        event_types: ['message'],
        narrow: [{ operator: 'is', operand: 'dm' }],
      });
      const typing_only = await registerQueue(client(cordelia), { event_types: ['typing'] });
      await mention();
      const id = await direct();
      await client(bot).typing.send({ op: 'start', to: [cordelia.user_id as never] });
      expect(await direct_only.nextEvents(1)).toMatchObject([{ type: 'message', message: { id } }]);
      expect(await typing_only.nextEvents(1)).toMatchObject([
        {
          type: 'typing',
          op: 'start',
          message_type: 'direct',
          sender: { user_id: bot.user_id, email: bot.email },
        },
      ]);
      expect(await direct_only.unread()).toEqual([]);
    },
  ],
  [
    'a second poll ends the first, and a deleted queue refuses polls',
    async ({ client, bot, direct }) => {
      const { queues } = client(bot);
      const { queue_id, last_event_id } = await queues.register({ event_types: ['message'] });
      if (queue_id === null) throw new Error('no queue');
      const first = queues.events({ queue_id, last_event_id });
      // The first has to be waiting before a second one can end it.
      let ended: unknown;
      void first.then(({ events: none }) => (ended = none));
      while (ended === undefined) {
        const again = await queues.events({ queue_id, last_event_id, dont_block: true });
        expect(again.events).toEqual([]);
      }
      expect(ended).toEqual([]);
      await direct();
      const [event] = (await queues.events({ queue_id, last_event_id })).events;
      if (!event) throw new Error('no event');
      const acknowledged = { queue_id, last_event_id: event.id, dont_block: true };
      expect((await queues.events(acknowledged)).events).toEqual([]);
      expect(await apiErrorOf(queues.events({ queue_id, last_event_id }))).toMatchObject(
        badRequest,
      );
      await queues.remove({ queue_id });
      expect(await apiErrorOf(queues.events(acknowledged))).toMatchObject({
        code: 'BAD_EVENT_QUEUE_ID',
      });
      expect(await apiErrorOf(queues.remove({ queue_id }))).toMatchObject({
        code: 'BAD_EVENT_QUEUE_ID',
      });
    },
  ],
];

/** REST calls that the fake server and the real one answer alike. */
export const restScenarios: readonly Scenario[] = [
  ...credentials,
  ...refusals,
  ...reading,
  ...events,
];
