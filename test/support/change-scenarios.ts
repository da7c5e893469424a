import { emojiCodes } from '@bellhop/fake-server';
import { expect } from 'vitest';

import { badRequest, capabilities, listening, refused } from './asking.ts';
import { OPEN, type Scenario } from './bot-stage.ts';

/** What bots change on a chat server, whoever made it. */
export const changeScenarios: readonly Scenario[] = [
  [
    'a bot edits what it said, and everybody hears of it',
    async ({ client, bot, chat, topic, mention, hook, answersIn }) => {
      hook.answers('{"content":"first"}');
      await mention();
      const { messages } = client(bot);
      const queue = await listening(client(chat.cordelia), { event_types: ['update_message'] });
      const narrow = [
        { operator: 'channel', operand: OPEN },
        { operator: 'topic', operand: topic },
      ];
      const found = await messages.fetch({ anchor: 'newest', num_before: 1, narrow });
      const message_id = found.messages[0]?.id;
      if (message_id === undefined) throw new Error('no message');
      const content = `second, @**${chat.cordelia.full_name}**`;
      expect(await messages.edit({ message_id, content })).toEqual({ detached_uploads: [] });
      expect(await answersIn()).toEqual([content]);
      expect(await queue.next(1)).toMatchObject([
        {
          type: 'update_message',
          user_id: bot.user_id,
          rendering_only: false,
          message_id,
          message_ids: [message_id],
          flags: ['mentioned'],
          orig_content: 'first',
          content,
          stream_name: OPEN,
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
      expect(await refused(messages.edit(stale))).toMatchObject({
        code: 'EXPECTATION_MISMATCH',
        keys: ['field_name'],
      });
      expect(await refused(messages.edit({ message_id }))).toMatchObject(badRequest);
      const theirs = client(chat.cordelia).messages.edit({ message_id, content: 'x' });
      expect(await refused(theirs)).toMatchObject(badRequest);
      await messages.edit({ message_id, content: ' ' });
      expect(await answersIn()).toEqual(['(deleted)']);
      expect(hook.received).toHaveLength(1);
    },
  ],
  [
    'an edit that mentions a bot is not told to it',
    async ({ client, bot, chat, topic, hook }) => {
      const { messages } = client(chat.cordelia);
      const to = { type: 'channel', to: OPEN, topic } as const;
      const { id } = await messages.send({ ...to, content: 'hi' });
      await messages.edit({ message_id: id, content: `@**${bot.full_name}** hi` });
      await chat.settled();
      expect(hook.received).toHaveLength(0);
    },
  ],
  [
    'a message is deleted by its owner only',
    async ({ client, bot, chat }) => {
      const { messages } = client(bot);
      const heard = { event_types: ['delete_message'] };
      const queue = await listening(client(chat.cordelia), heard);
      const bulk = await listening(client(chat.cordelia), {
        ...heard,
        client_capabilities: { ...capabilities, bulk_message_deletion: true },
      });
      const to = [chat.cordelia.user_id];
      const { id: message_id } = await messages.send({ type: 'direct', to, content: 'oops' });
      const theirs = client(chat.cordelia).messages.remove({ message_id });
      expect(await refused(theirs)).toMatchObject(badRequest);
      await messages.remove({ message_id });
      const gone = { type: 'delete_message', message_type: 'private' };
      expect(await queue.next(1)).toMatchObject([{ ...gone, message_id }]);
      expect(await bulk.next(1)).toMatchObject([{ ...gone, message_ids: [message_id] }]);
      expect(await refused(messages.fetchOne({ message_id }))).toMatchObject(badRequest);
      expect(await refused(messages.remove({ message_id }))).toMatchObject(badRequest);
    },
  ],
  [
    'reactions come and go, each once, under the name of the first',
    async ({ client, bot, chat, direct }) => {
      const message_id = (await direct()) as never;
      const queue = await listening(client(chat.cordelia), { event_types: ['reaction'] });
      const { reactions, messages } = client(bot);
      const hers = client(chat.cordelia).reactions;
      await reactions.add({ message_id, emoji_name: '+1' });
      await hers.add({ message_id, emoji_name: 'thumbs_up' });
      const again = reactions.add({ message_id, emoji_name: 'thumbs_up' });
      expect(await refused(again)).toMatchObject({ code: 'REACTION_ALREADY_EXISTS' });
      const thumb = { emoji_name: '+1', emoji_code: '1f44d', reaction_type: 'unicode_emoji' };
      const read = async () => (await messages.fetchOne({ message_id })).message.reactions;
      expect(await read()).toEqual([
        { ...thumb, user_id: bot.user_id },
        { ...thumb, user_id: chat.cordelia.user_id },
      ]);
      await reactions.remove({ message_id, emoji_code: '1f44d' });
      expect(await queue.next(3)).toMatchObject([
        { type: 'reaction', op: 'add', message_id, ...thumb, user_id: bot.user_id },
        { op: 'add', user: { email: 'cordelia@chat.test' } },
        { op: 'remove', user_id: bot.user_id },
      ]);
      const gone = reactions.remove({ message_id, emoji_name: '+1' });
      expect(await refused(gone)).toMatchObject({ code: 'REACTION_DOES_NOT_EXIST' });
      for (const asked of [
        () => reactions.add({ message_id, emoji_name: 'no_such_emoji' }),
        () => reactions.add({ message_id, emoji_name: 'tada', emoji_code: '2764' }),
        () => reactions.remove({ message_id }),
        () => reactions.add({ message_id: 999_999 as never, emoji_name: '+1' }),
      ])
        expect(await refused(asked())).toMatchObject(badRequest);
    },
  ],
  [
    'the emoji that the fake knows are those of the real server',
    async ({ client, bot, direct }) => {
      const message_id = (await direct()) as never;
      const { reactions, messages } = client(bot);
      for (const emoji_name of emojiCodes.keys())
        await refused(reactions.add({ message_id, emoji_name }));
      const { message } = await messages.fetchOne({ message_id });
      const codes = new Map(message.reactions.map((one) => [one.emoji_name, one.emoji_code]));
      for (const [name, code] of codes) expect([name, code]).toEqual([name, emojiCodes.get(name)]);
      expect(codes.size).toBe(new Set(emojiCodes.values()).size);
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
      expect(await refused(users.get({ user_id: 99_999 as never }))).toMatchObject(badRequest);
    },
  ],
  [
    'what a bot stores it gets back, and a missing key is an error',
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
        () => client(chat.cordelia).botStorage.get(),
      ])
        expect(await refused(asked())).toMatchObject(badRequest);
      await botStorage.remove({ keys: ['a'] });
      expect(await botStorage.get()).toEqual({ storage: { b: '2', c: '3' } });
      await botStorage.remove();
      expect(await botStorage.get()).toEqual({ storage: {} });
    },
  ],
  [
    'a poll that a bot starts is voted in',
    async ({ client, bot, chat, direct, hook }) => {
      hook.answers('{"content":"/poll Tea?\\n- yes\\n- no"}');
      const asked = (await direct()) as number;
      const queue = await listening(client(bot), { event_types: ['submessage'] });
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
      expect(await queue.next(1)).toMatchObject([{ type: 'submessage', ...voted }]);
      const { message } = await messages.fetchOne({ message_id: poll.id });
      expect(message.submessages).toMatchObject([{ sender_id: bot.user_id }, voted]);
      const question = JSON.stringify({ type: 'question', question: 'Coffee?' });
      for (const refusedPart of [
        { ...part, content: '{' },
        { ...part, content: '{"type":"vote"}' },
        { ...part, content: question },
        { ...part, message_id: 999_999 as never, content: vote },
      ])
        expect(await refused(submessages.add(refusedPart))).toMatchObject(badRequest);
      const elsewhere = { message_id: asked as never, msg_type: 'widget', content: vote };
      const bots = client(bot).submessages;
      expect(await refused(bots.add(elsewhere))).toMatchObject(badRequest);
      await bots.add({ ...part, content: question });
    },
  ],
  [
    'a message moves to another topic, alone or with the rest',
    async ({ client, bot, chat, topic, mention, hook, answersIn }) => {
      hook.answers('{"content":"answer"}');
      const first = (await mention()) as never;
      await mention();
      const queue = await listening(client(chat.cordelia), { event_types: ['update_message'] });
      const { messages } = client(chat.cordelia);
      await messages.edit({
        message_id: first,
        topic: `${topic} alone`,
        send_notification_to_new_thread: false,
      });
      expect(await answersIn()).toEqual(['answer', 'answer']);
      const narrow = [
        { operator: 'channel', operand: OPEN },
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
      expect(await answersIn({ topic: `${topic} later` })).toEqual(['answer']);
      expect(await queue.next(2)).toMatchObject([
        {
          message_id: first,
          message_ids: [first],
          propagate_mode: 'change_one',
          orig_subject: topic,
          subject: `${topic} alone`,
          stream_name: OPEN,
        },
        { message_ids: ids.slice(1), propagate_mode: 'change_later', subject: `${topic} later` },
      ]);
      const { message } = await messages.fetchOne({ message_id: first });
      expect(message.edit_history).toMatchObject([{ prev_topic: topic, topic: `${topic} alone` }]);
      expect(message).not.toHaveProperty('last_edit_timestamp');
      const to = [bot.user_id];
      const { id: message_id } = await messages.send({ type: 'direct', to, content: 'x' });
      expect(await refused(messages.edit({ message_id, topic: 'x' }))).toMatchObject(badRequest);
      const unknown = { message_id: first, stream_id: 9999 as never };
      expect(await refused(messages.edit(unknown))).toMatchObject({
        code: 'STREAM_DOES_NOT_EXIST',
        keys: ['stream_id'],
      });
    },
  ],
];
