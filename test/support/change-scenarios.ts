import { emojiCodes } from '@bellhop/fake-server';
import { expect } from 'vitest';

import { apiErrorOf, badRequest } from './api-error.ts';
import { capabilities, registerQueue } from './event-queue.ts';
import { PUBLIC_CHANNEL, type Scenario } from './webhook-bot.ts';

/** Changes that the fake server and the real one make alike. */
export const changeScenarios: readonly Scenario[] = [
  [
    'an edit by a bot changes the message, its history, and reaches the event queues',
    async ({ client, bot, chat, topic, mention, hook, repliesIn }) => {
      hook.answers('{"content":"first"}');
      await mention();
      const { messages } = client(bot);
      const queue = await registerQueue(client(chat.cordelia), { event_types: ['update_message'] });
      const narrow = [
        { operator: 'channel', operand: PUBLIC_CHANNEL },
        { operator: 'topic', operand: topic },
      ];
      const found = await messages.fetch({ anchor: 'newest', num_before: 1, narrow });
      const message_id = found.messages[0]?.id;
      if (message_id === undefined) throw new Error('no message');
      const content = `second, @**${chat.cordelia.full_name}**`;
      expect(await messages.edit({ message_id, content })).toEqual({ detached_uploads: [] });
      expect(await repliesIn()).toEqual([content]);
      expect(await queue.nextEvents(1)).toMatchObject([
        {
          type: 'update_message',
          user_id: bot.user_id,
          rendering_only: false,
          message_id,
          message_ids: [message_id],
          flags: ['mentioned'],
          orig_content: 'first',
          content,
          stream_name: PUBLIC_CHANNEL,
        },
      ]);
      const { message } = await messages.fetchOne({ message_id });
      expect(message).toMatchObject({
        edit_history: [{ user_id: bot.user_id, prev_content: 'first' }],
        last_edit_timestamp: expect.any(Number) as unknown,
      });
      const { message_history } = await messages.history({ message_id });
      expect(message_history.map((one) => one.content)).toEqual(['first', content]);
      const stale = { message_id, content: 'x', prev_content_sha256: '0'.repeat(64) };
      expect(await apiErrorOf(messages.edit(stale))).toMatchObject({
        code: 'EXPECTATION_MISMATCH',
        keys: ['field_name'],
      });
      expect(await apiErrorOf(messages.edit({ message_id }))).toMatchObject(badRequest);
      const theirs = client(chat.cordelia).messages.edit({ message_id, content: 'x' });
      expect(await apiErrorOf(theirs)).toMatchObject(badRequest);
      await messages.edit({ message_id, content: ' ' });
      expect(await repliesIn()).toEqual(['(deleted)']);
      expect(hook.received).toHaveLength(1);
    },
  ],
  [
    'an edit that adds a mention of a bot brings no delivery',
    async ({ client, bot, chat, topic, hook }) => {
      const { messages } = client(chat.cordelia);
      const to = { type: 'channel', to: PUBLIC_CHANNEL, topic } as const;
      const { id } = await messages.send({ ...to, content: 'hi' });
      await messages.edit({ message_id: id, content: `@**${bot.full_name}** hi` });
      await chat.settled();
      expect(hook.received).toHaveLength(0);
    },
  ],
  [
    'only the sender of a message deletes it',
    async ({ client, bot, chat }) => {
      const { messages } = client(bot);
      const heard = { event_types: ['delete_message'] };
      const queue = await registerQueue(client(chat.cordelia), heard);
      const bulk = await registerQueue(client(chat.cordelia), {
        ...heard,
        client_capabilities: { ...capabilities, bulk_message_deletion: true },
      });
      const to = [chat.cordelia.user_id];
      const { id: message_id } = await messages.send({ type: 'direct', to, content: 'oops' });
      const theirs = client(chat.cordelia).messages.remove({ message_id });
      expect(await apiErrorOf(theirs)).toMatchObject(badRequest);
      await messages.remove({ message_id });
      const gone = { type: 'delete_message', message_type: 'private' };
      expect(await queue.nextEvents(1)).toMatchObject([{ ...gone, message_id }]);
      expect(await bulk.nextEvents(1)).toMatchObject([{ ...gone, message_ids: [message_id] }]);
      expect(await apiErrorOf(messages.fetchOne({ message_id }))).toMatchObject(badRequest);
      expect(await apiErrorOf(messages.remove({ message_id }))).toMatchObject(badRequest);
    },
  ],
  [
    'a user adds and removes a reaction once, under the name that it was first added with',
    async ({ client, bot, chat, direct }) => {
      const message_id = (await direct()) as never;
      const queue = await registerQueue(client(chat.cordelia), { event_types: ['reaction'] });
      const { reactions, messages } = client(bot);
      const hers = client(chat.cordelia).reactions;
      await reactions.add({ message_id, emoji_name: '+1' });
      await hers.add({ message_id, emoji_name: 'thumbs_up' });
      const again = reactions.add({ message_id, emoji_name: 'thumbs_up' });
      expect(await apiErrorOf(again)).toMatchObject({ code: 'REACTION_ALREADY_EXISTS' });
      const thumb = { emoji_name: '+1', emoji_code: '1f44d', reaction_type: 'unicode_emoji' };
      const read = async () => (await messages.fetchOne({ message_id })).message.reactions;
      expect(await read()).toEqual([
        { ...thumb, user_id: bot.user_id },
        { ...thumb, user_id: chat.cordelia.user_id },
      ]);
      await reactions.remove({ message_id, emoji_code: '1f44d' });
      expect(await queue.nextEvents(3)).toMatchObject([
        { type: 'reaction', op: 'add', message_id, ...thumb, user_id: bot.user_id },
        { op: 'add', user: { email: 'cordelia@chat.test' } },
        { op: 'remove', user_id: bot.user_id },
      ]);
      const gone = reactions.remove({ message_id, emoji_name: '+1' });
      expect(await apiErrorOf(gone)).toMatchObject({ code: 'REACTION_DOES_NOT_EXIST' });
      for (const asked of [
        () => reactions.add({ message_id, emoji_name: 'no_such_emoji' }),
        () => reactions.add({ message_id, emoji_name: 'tada', emoji_code: '2764' }),
        () => reactions.remove({ message_id }),
        () => reactions.add({ message_id: 999_999 as never, emoji_name: '+1' }),
      ])
        expect(await apiErrorOf(asked())).toMatchObject(badRequest);
    },
  ],
  [
    'the emoji codes of the fake server are those of the real one',
    async ({ client, bot, direct }) => {
      const { reactions, messages } = client(bot);
      const codes = new Map<string, string>();
      // Somebody may react to one message with 50 emoji.
      const all = [...emojiCodes.keys()];
      for (let at = 0; at < all.length; at += 50) {
        const message_id = (await direct()) as never;
        for (const emoji_name of all.slice(at, at + 50))
          await apiErrorOf(reactions.add({ message_id, emoji_name }));
        const { message } = await messages.fetchOne({ message_id });
        for (const one of message.reactions) codes.set(one.emoji_name, one.emoji_code);
      }
      for (const [name, code] of codes) expect([name, code]).toEqual([name, emojiCodes.get(name)]);
      expect(new Set(codes.values()).size).toBe(new Set(emojiCodes.values()).size);
    },
  ],
  [
    'a user is found by id and by address',
    async ({ client, bot, chat }) => {
      const { users } = client(bot);
      const { user } = await users.get({ user_id: chat.hamlet.user_id as never });
      expect(user).toMatchObject({ email: 'hamlet@chat.test', is_bot: false });
      const found = await users.get({ user_id: 'hamlet@chat.test' });
      expect(found.user.user_id).toBe(chat.hamlet.user_id);
      expect(await apiErrorOf(users.get({ user_id: 99_999 as never }))).toMatchObject(badRequest);
    },
  ],
  [
    'bot storage returns what a bot has put there and refuses unknown keys',
    async ({ client, bot, chat }) => {
      const { botStorage } = client(bot);
      await botStorage.put({ storage: { a: '1', b: '2', c: '3' } });
      await botStorage.put({ storage: { a: '4' } });
      expect(await botStorage.get()).toEqual({ storage: { a: '4', b: '2', c: '3' } });
      expect(await botStorage.get({ keys: ['a', 'a'] })).toEqual({ storage: { a: '4' } });
      for (const asked of [
        () => botStorage.get({ keys: ['a', 'x'] }),
        () => botStorage.remove({ keys: ['a', 'x'] }),
        () => botStorage.put({ storage: { ['k'.repeat(501)]: '' } }),
      ])
        expect(await apiErrorOf(asked())).toMatchObject(badRequest);
      expect(await client(chat.cordelia).botStorage.get()).toEqual({ storage: {} });
      await botStorage.remove({ keys: ['a'] });
      expect(await botStorage.get()).toEqual({ storage: { b: '2', c: '3' } });
      await botStorage.remove();
      expect(await botStorage.get()).toEqual({ storage: {} });
    },
  ],
  [
    'users vote in a poll that a bot has posted',
    async ({ client, bot, chat, direct, hook }) => {
      hook.answers('{"content":"/poll Tea?\\n- yes\\n- no"}');
      const asked = (await direct()) as number;
      const queue = await registerQueue(client(bot), { event_types: ['submessage'] });
      const { submessages, messages } = client(chat.cordelia);
      const found = await messages.fetch({ anchor: 'newest', num_before: 1 });
      const poll = found.messages[0];
      if (!poll) throw new Error('no poll');
      expect(poll.submessages).toMatchObject([{ msg_type: 'widget', sender_id: bot.user_id }]);
      expect(JSON.parse(poll.submessages[0]?.content ?? '')).toEqual({
        widget_type: 'poll',
        extra_data: { question: 'Tea?', options: ['yes', 'no'] },
      });
      const part = { message_id: poll.id, msg_type: 'widget' };
      const vote = JSON.stringify({ type: 'vote', key: 'canned,0', vote: 1 });
      await submessages.add({ ...part, content: vote });
      const voted = { message_id: poll.id, sender_id: chat.cordelia.user_id, content: vote };
      expect(await queue.nextEvents(1)).toMatchObject([{ type: 'submessage', ...voted }]);
      const { message } = await messages.fetchOne({ message_id: poll.id });
      expect(message.submessages).toMatchObject([{ sender_id: bot.user_id }, voted]);
      const question = JSON.stringify({ type: 'question', question: 'Coffee?' });
      for (const refusedPart of [
        { ...part, content: '{' },
        { ...part, content: '{"type":"vote"}' },
        { ...part, content: question },
        { ...part, message_id: 999_999 as never, content: vote },
      ])
        expect(await apiErrorOf(submessages.add(refusedPart))).toMatchObject(badRequest);
      const elsewhere = { message_id: asked as never, msg_type: 'widget', content: vote };
      const bots = client(bot).submessages;
      expect(await apiErrorOf(bots.add(elsewhere))).toMatchObject(badRequest);
      await bots.add({ ...part, content: question });
    },
  ],
  [
    'a message moves to another topic, alone or with the rest',
    async ({ client, bot, chat, topic, mention, hook, repliesIn }) => {
      hook.answers('{"content":"answer"}');
      const first = (await mention()) as never;
      await mention();
      const queue = await registerQueue(client(chat.cordelia), { event_types: ['update_message'] });
      const { messages } = client(chat.cordelia);
      await messages.edit({
        message_id: first,
        topic: `${topic} alone`,
        send_notification_to_new_thread: false,
      });
      expect(await repliesIn()).toEqual(['answer', 'answer']);
      const narrow = [
        { operator: 'channel', operand: PUBLIC_CHANNEL },
        { operator: 'topic', operand: topic },
      ];
      const { messages: rest } = await messages.fetch({ anchor: 'oldest', num_after: 9, narrow });
      const ids = rest.map(({ id }) => id);
      expect(ids).toHaveLength(3);
      await messages.edit({
        message_id: ids[1] as never,
        topic: `${topic} later`,
        propagate_mode: 'change_later',
        send_notification_to_new_thread: false,
      });
      expect(await repliesIn({ topic: `${topic} later` })).toEqual(['answer']);
      expect(await queue.nextEvents(2)).toMatchObject([
        {
          message_id: first,
          message_ids: [first],
          propagate_mode: 'change_one',
          orig_subject: topic,
          subject: `${topic} alone`,
          stream_name: PUBLIC_CHANNEL,
        },
        { message_ids: ids.slice(1), propagate_mode: 'change_later', subject: `${topic} later` },
      ]);
      const { message } = await messages.fetchOne({ message_id: first });
      expect(message.edit_history).toMatchObject([{ prev_topic: topic, topic: `${topic} alone` }]);
      expect(message).not.toHaveProperty('last_edit_timestamp');
      const to = [bot.user_id];
      const { id: message_id } = await messages.send({ type: 'direct', to, content: 'x' });
      expect(await apiErrorOf(messages.edit({ message_id, topic: 'x' }))).toMatchObject(badRequest);
      const unknown = { message_id: first, stream_id: 9999 as never };
      expect(await apiErrorOf(messages.edit(unknown))).toMatchObject({
        code: 'STREAM_DOES_NOT_EXIST',
        keys: ['stream_id'],
      });
    },
  ],
];
