import type { Client } from '@bellhop/client';
import { expect } from 'vitest';

import { badRequest, listening, refused } from './asking.ts';
import { CLOSED, OPEN, type Scenario, type Scene } from './bot-stage.ts';
import type { Login } from './chat-driver.ts';

type Ask = (scene: Scene, client: Client) => Promise<unknown>;
const refusals: readonly Scenario[] = (
  [
    [
      'an unknown channel by name',
      (_, { messages }) =>
        messages.send({ type: 'stream', to: 'nowhere', topic: 't', content: 'x' }),
      { code: 'STREAM_DOES_NOT_EXIST', keys: ['stream'] },
    ],
    [
      'an unknown channel by id',
      (_, { messages }) => messages.send({ type: 'stream', to: 9999, topic: 't', content: 'x' }),
      { code: 'STREAM_DOES_NOT_EXIST', keys: ['stream_id'] },
    ],
    [
      'no topic',
      (_, { messages }) => messages.send({ type: 'stream', to: OPEN, content: 'x' }),
      badRequest,
    ],
    [
      'somebody else’s private channel',
      ({ client, bot }) =>
        client(bot).messages.send({ type: 'stream', to: CLOSED, topic: 't', content: 'x' }),
      badRequest,
    ],
    [
      'no recipients',
      (_, { messages }) => messages.send({ type: 'direct', to: [], content: 'x' }),
      badRequest,
    ],
    [
      'a bare user id',
      ({ bot }, { messages }) => messages.send({ type: 'direct', to: bot.user_id, content: 'x' }),
      badRequest,
    ],
    [
      'ids and addresses mixed',
      ({ bot }, { messages }) =>
        messages.send({ type: 'direct', to: [bot.user_id, 'hamlet@chat.test'], content: 'x' }),
      badRequest,
    ],
    [
      'an unknown address',
      (_, { messages }) => messages.send({ type: 'direct', to: 'who@chat.test', content: 'x' }),
      badRequest,
    ],
    [
      'an unknown id',
      (_, { messages }) => messages.send({ type: 'direct', to: [99_999], content: 'x' }),
      badRequest,
    ],
    [
      'nothing to say',
      ({ bot }, { messages }) =>
        messages.send({ type: 'direct', to: [bot.user_id], content: ' \n ' }),
      badRequest,
    ],
    [
      'a widget that is none',
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
      'an unknown operator',
      (_, { messages }) =>
        messages.fetch({
          anchor: 'newest',
          num_before: 1,
          narrow: [{ operator: 'mood', operand: 'good' }],
        }),
      { code: 'BAD_NARROW', keys: ['desc'] },
    ],
    ['no anchor', (_, { messages }) => messages.fetch({ num_before: 1 }), badRequest],
    [
      'a message that is not there',
      (_, { messages }) => messages.fetchOne({ message_id: 999_999 as never }),
      badRequest,
    ],
    [
      'a queue that is not there',
      (_, { queues }) => queues.events({ queue_id: 'gone', last_event_id: -1 }),
      { code: 'BAD_EVENT_QUEUE_ID', keys: ['queue_id'] },
    ],
    [
      'a queue narrowed by what it cannot see',
      (_, { queues }) => queues.register({ narrow: [{ operator: 'search', operand: 'x' }] }),
      badRequest,
    ],
    ['typing to nobody', (_, { typing }) => typing.send({ op: 'start', to: [] }), badRequest],
  ] satisfies readonly [string, Ask, object][]
).map(([name, ask, expected]) => [
  `${name} is refused`,
  async (scene) => {
    const answer = refused(ask(scene, scene.client(scene.chat.cordelia)));
    expect(await answer).toMatchObject(expected);
  },
]);

const credentials: readonly Scenario[] = [
  [
    'who is not known is not let in',
    async ({ chat, client }) => {
      const ask = (who: Login) => refused(client(who).users.me());
      expect(await ask({ ...chat.hamlet, apiKey: 'x'.repeat(32) })).toMatchObject({
        code: 'INVALID_API_KEY',
        status: 401,
      });
      const stranger = { ...chat.hamlet, email: 'who@chat.test' };
      expect(await ask(stranger)).toMatchObject({ code: 'INVALID_API_KEY', status: 401 });
      const response = await fetch(`${chat.url}/api/v1/users/me`);
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({ result: 'error', code: 'UNAUTHORIZED' });
      expect(response.headers.get('www-authenticate')).toContain('Basic');
    },
  ],
  [
    'a bot knows itself and others',
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
      expect(await client(bot).serverSettings.get()).toMatchObject({ zulip_feature_level: 420 });
    },
  ],
];

const reading: readonly Scenario[] = [
  [
    'narrows find what a bot looks for',
    async (scene) => {
      const { bot, chat, topic, client } = scene;
      const mention = await scene.mention();
      const direct = await scene.direct('one');
      const group = await scene.direct('two', [chat.hamlet]);
      const { messages } = client(bot);
      await client(chat.cordelia).subscriptions.add({
        subscriptions: [{ name: OPEN }],
        principals: [bot.email],
      });
      const seen = await scene.mention();
      const find = async (...narrow: { operator: string; operand: string | number[] }[]) =>
        (await messages.fetch({ anchor: 'newest', num_before: 100, narrow })).messages.map(
          ({ id }) => id as number,
        );
      const here = { operator: 'topic', operand: topic.toUpperCase() };
      expect(await find({ operator: 'stream', operand: OPEN }, here)).toEqual([mention, seen]);
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
    'what a bot sends is found under its topic',
    async ({ client, bot, topic, answersIn }) => {
      const { messages } = client(bot);
      const send = { type: 'channel', to: OPEN, content: 'by REST' } as const;
      await messages.send({ ...send, topic });
      expect(await answersIn()).toEqual(['by REST']);
      await messages.send({ ...send, to: [OPEN], topic: `  ${topic}  ` });
      expect(await answersIn()).toEqual(['by REST', 'by REST']);
    },
  ],
];

const events: readonly Scenario[] = [
  [
    'a queue tells of messages, with flags and the local id',
    async ({ client, bot, chat, direct, mention, topic }) => {
      const { messages, subscriptions } = client(bot);
      await subscriptions.add({ subscriptions: [{ name: OPEN }] });
      const queue = await listening(client(bot), { event_types: ['message'] });
      const asked = await direct('hi');
      const mentioned = await mention();
      const { id } = await messages.send({
        type: 'direct',
        to: [chat.cordelia.user_id],
        content: 'answer',
        queue_id: queue.queue_id,
        local_id: '7.1',
      });
      const heard = await queue.next(3);
      expect(heard).toMatchObject([
        { type: 'message', message: { id: asked, content: 'hi', type: 'private' }, flags: [] },
        { type: 'message', message: { id: mentioned, subject: topic }, flags: ['mentioned'] },
        { type: 'message', message: { id, sender_email: bot.email }, local_message_id: '7.1' },
      ]);
    },
  ],
  [
    'a queue hears what its narrow and its types let through',
    async ({ client, chat, direct, mention, bot }) => {
      const { cordelia } = chat;
      const direct_only = await listening(client(cordelia), {
        event_types: ['message'],
        narrow: [{ operator: 'is', operand: 'dm' }],
      });
      const typing_only = await listening(client(cordelia), { event_types: ['typing'] });
      await mention();
      const id = await direct();
      await client(bot).typing.send({ op: 'start', to: [cordelia.user_id as never] });
      expect(await direct_only.next(1)).toMatchObject([{ type: 'message', message: { id } }]);
      expect(await typing_only.next(1)).toMatchObject([
        {
          type: 'typing',
          op: 'start',
          message_type: 'direct',
          sender: { user_id: bot.user_id, email: bot.email },
        },
      ]);
      expect((await direct_only.waiting()).events).toEqual([]);
    },
  ],
  [
    'a second poll ends the first, and a dropped queue is not known',
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
      expect(await refused(queues.events({ queue_id, last_event_id }))).toMatchObject(badRequest);
      await queues.remove({ queue_id });
      expect(await refused(queues.events(acknowledged))).toMatchObject({
        code: 'BAD_EVENT_QUEUE_ID',
      });
      expect(await refused(queues.remove({ queue_id }))).toMatchObject({
        code: 'BAD_EVENT_QUEUE_ID',
      });
    },
  ],
];

/** What bots ask a chat server for, whoever made it. */
export const restScenarios: readonly Scenario[] = [
  ...credentials,
  ...refusals,
  ...reading,
  ...events,
];
