import { expect } from 'vitest';

import { status } from './scripted-bot.ts';
import { payloadOf, PRIVATE_CHANNEL, type Scenario, type WebhookBot } from './webhook-bot.ts';

const idsIn = (place: string | readonly { id: number }[]) =>
  typeof place === 'string' ? [] : place.map(({ id }) => id).toSorted((a, b) => a - b);

const places: readonly Scenario[] = [
  [
    'a bot replies to a mention in the topic of the mention',
    async (fixture) => {
      fixture.hook.answers('{"content":"hello *there*"}');
      const id = await fixture.mention();
      expect(await fixture.repliesIn()).toEqual(['hello *there*']);
      expect(payloadOf(fixture)).toMatchObject({ trigger: 'mention', message: { id } });
      expect(await fixture.ownerNotices()).toEqual([]);
    },
  ],
  [
    'the payload and the reply keep the empty topic',
    async (fixture) => {
      fixture.hook.answers(`{"content":"to ${fixture.bot.full_name}"}`);
      await fixture.mention(undefined, { topic: '' });
      expect(payloadOf(fixture).message.subject).toBe('');
      expect(await fixture.repliesIn({ topic: '' })).toEqual([`to ${fixture.bot.full_name}`]);
    },
  ],
  [
    'a bot replies to a mention in a private channel that it is not subscribed to',
    async (fixture) => {
      fixture.hook.answers('{"content":"psst"}');
      await fixture.mention(undefined, { channel: PRIVATE_CHANNEL });
      expect(await fixture.repliesIn({ channel: PRIVATE_CHANNEL })).toEqual(['psst']);
    },
  ],
  [
    'a bot replies to a direct message in the same conversation',
    async (fixture) => {
      fixture.hook.answers('{"content":"yes?"}');
      await fixture.direct();
      const { trigger, message } = payloadOf(fixture);
      expect(trigger).toBe('direct_message');
      expect(message).toMatchObject({ type: 'private', subject: '' });
      expect(message).not.toHaveProperty('stream_id');
      expect(await fixture.directReplies()).toEqual(['yes?']);
    },
  ],
  [
    'the payload of a group direct message lists all recipients, and the reply goes to all',
    async (fixture) => {
      fixture.hook.answers('{"content":"to all"}');
      const { hamlet, cordelia } = fixture.chat;
      await fixture.direct('hi', [hamlet]);
      const everybody = [fixture.bot, hamlet, cordelia].map(({ user_id }) => user_id);
      expect(idsIn(payloadOf(fixture).message.display_recipient)).toEqual(
        everybody.toSorted((a, b) => a - b),
      );
      expect(await fixture.directReplies(hamlet)).toEqual(['to all']);
      expect(await fixture.directReplies()).toEqual([]);
    },
  ],
];

const triggers: readonly Scenario[] = (
  [
    ['a mention by name and id', ({ bot }) => `@**${bot.full_name}|${bot.user_id}** hi`, 1],
    ['a mention in small letters', ({ bot }) => `@**${bot.full_name.toLowerCase()}** hi`, 1],
    ['a message with two mentions', ({ bot }) => `@**${bot.full_name}** @**${bot.full_name}**`, 1],
    ['a mention in brackets', ({ bot }) => `hi (@**${bot.full_name}**)`, 1],
    ['a mention in the second line', ({ bot }) => `hi\n@**${bot.full_name}**`, 1],
    ['the name without a mention', ({ bot }) => `${bot.full_name} hi`, 0],
    ['a mention inside a word', ({ bot }) => `mail@**${bot.full_name}**`, 0],
    ['a silent mention', ({ bot }) => `@_**${bot.full_name}** hi`, 0],
    ['a mention in code', ({ bot }) => `\`@**${bot.full_name}**\` hi`, 0],
    ['a mention in double code', ({ bot }) => `\`\` a \` @**${bot.full_name}** \`\` hi`, 0],
    ['a mention in a code block', ({ bot }) => `\`\`\`\n@**${bot.full_name}**\n\`\`\``, 0],
    ['a mention after a code block', ({ bot }) => `~~~\nx\n~~~\n@**${bot.full_name}**`, 1],
    ['a quoted mention', ({ bot }) => `> @**${bot.full_name}** hi`, 0],
    ['a wildcard mention', () => '@**all** @**everyone** @**channel**', 0],
    ['a mention of an unknown name', () => '@**Nobody** hi', 0],
  ] satisfies readonly [string, (fixture: WebhookBot) => string, number][]
).map(([name, content, expected]) => [
  `${name} brings ${expected} deliveries`,
  async (fixture) => {
    await fixture.mention(content(fixture));
    expect(fixture.hook.received).toHaveLength(expected);
  },
]);

const loops: readonly Scenario[] = [
  [
    'a message from a bot brings no delivery',
    async (fixture) => {
      const { bot, topic, hook, chat } = fixture;
      const { messages } = fixture.client(bot);
      const content = `@**${bot.full_name}** again`;
      await messages.send({ type: 'direct', to: [bot.user_id, chat.cordelia.user_id], content });
      await messages.send({ type: 'channel', to: 'stage', topic, content });
      await chat.settled();
      expect(hook.received).toHaveLength(0);
    },
  ],
  [
    'a reply that mentions its bot brings no delivery',
    async (fixture) => {
      fixture.hook.answers(JSON.stringify({ content: `@**${fixture.bot.full_name}** me` }));
      await fixture.mention();
      expect(fixture.hook.received).toHaveLength(1);
    },
  ],
];

const followUps: readonly Scenario[] = [
  [
    'a bot gets a message without a mention only in a topic it is subscribed to',
    async (fixture) => {
      const { bot, topic, hook } = fixture;
      const { botTopics, channels } = fixture.client(bot);
      const { stream_id } = await channels.id({ stream: 'stage' });
      await fixture.mention('nobody listens');
      const { expires_at } = await botTopics.subscribe({ stream_id, topic: topic.toUpperCase() });
      expect(await botTopics.list()).toEqual({
        topics: [{ stream_id, topic: topic.toUpperCase(), expires_at }],
      });
      hook.answers('{"content":"I heard that"}');
      await fixture.mention('anyone?');
      await fixture.mention('elsewhere', { topic: `${topic} 2` });
      await fixture.mention();
      expect(hook.received.map((_, at) => payloadOf(fixture, at))).toMatchObject([
        { trigger: 'follow_up', data: 'anyone?' },
        { trigger: 'mention' },
      ]);
      expect(await fixture.repliesIn()).toEqual(['I heard that', 'I heard that']);
      await botTopics.unsubscribe({ stream_id, topic });
      await botTopics.unsubscribe({ stream_id, topic });
      expect(await botTopics.list()).toEqual({ topics: [] });
      await fixture.mention('again');
      expect(hook.received).toHaveLength(2);
    },
  ],
  [
    'a subscription is refused to people, in unknown and unreadable channels, and for too long',
    async (fixture) => {
      const { bot, topic, chat } = fixture;
      const secret = await fixture.client(chat.cordelia).channels.id({ stream: PRIVATE_CHANNEL });
      const { botTopics } = fixture.client(bot);
      for (const stream_id of [secret.stream_id, 999_999 as typeof secret.stream_id])
        await expect(botTopics.subscribe({ stream_id, topic })).rejects.toMatchObject({
          message: 'Invalid channel ID',
        });
      const { stream_id } = await fixture.client(bot).channels.id({ stream: 'stage' });
      await expect(
        botTopics.subscribe({ stream_id, topic, expires_in: 2_592_001 }),
      ).rejects.toMatchObject({ code: 'BAD_REQUEST' });
      await expect(
        fixture.client(chat.cordelia).botTopics.subscribe({ stream_id, topic }),
      ).rejects.toMatchObject({ message: 'This endpoint is for bots only.' });
    },
  ],
  [
    'a shorter subscription does not end a longer one',
    async (fixture) => {
      const { botTopics, channels } = fixture.client(fixture.bot);
      const { stream_id } = await channels.id({ stream: 'stage' });
      const topic = fixture.topic;
      const long = await botTopics.subscribe({ stream_id, topic, expires_in: 7200 });
      expect(await botTopics.subscribe({ stream_id, topic, expires_in: 60 })).toEqual(long);
      expect((await botTopics.list()).topics).toHaveLength(1);
    },
  ],
  [
    'the failure of a follow-up is told to the owner and not to the topic',
    async (fixture) => {
      const { botTopics, channels } = fixture.client(fixture.bot);
      const { stream_id } = await channels.id({ stream: 'stage' });
      await botTopics.subscribe({ stream_id, topic: fixture.topic });
      fixture.hook.answers(status(500, 'broken'));
      await fixture.mention('anyone?');
      expect(await fixture.repliesIn()).toEqual([]);
      expect(await fixture.ownerNotices()).toEqual([expect.stringContaining('broken')]);
    },
  ],
];

/** Which messages call which bots, in scenarios in which both servers behave alike. */
export const triggerScenarios: readonly Scenario[] = [
  ...places,
  ...triggers,
  ...loops,
  ...followUps,
];
