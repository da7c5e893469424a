import { WebhookPayload } from '@bellhop/protocol';
import { expect } from 'vitest';

import type { Scenario, WebhookBot } from './webhook-bot.ts';

const payloadOf = ({ hook }: WebhookBot, at: number) =>
  WebhookPayload.parse(JSON.parse(hook.received[at]?.body ?? 'null'));

/** Changes of messages by people, as webhooks. */
export const botChangeScenarios: readonly Scenario[] = [
  [
    'a bot gets reactions, edits and deletions only of its messages, and only those it asks for',
    async (fixture) => {
      const { bot, hook, chat } = fixture;
      const { botChanges, messages: botMessages } = fixture.client(bot);
      const { messages, reactions } = fixture.client(chat.cordelia);
      expect(await botChanges.list()).toEqual({ changes: [] });
      const to = { type: 'channel' as const, to: 'stage', topic: fixture.topic };
      const { id: message_id } = await botMessages.send({ ...to, content: 'Ship it?' });
      const { id: other } = await messages.send({ ...to, content: 'nothing of the bot' });
      const like = { emoji_name: 'tada', message_id };
      await reactions.add(like);
      await reactions.remove(like);
      await botChanges.update({ changes: ['reaction', 'reaction'] });
      expect(await botChanges.list()).toEqual({ changes: ['reaction'] });
      hook.answers('{"content":"I saw that"}');
      await reactions.add(like);
      await reactions.add({ ...like, message_id: other });
      await fixture.client(bot).reactions.add(like);
      await chat.settled();
      await reactions.remove(like);
      await chat.settled();
      const { user_id, email, full_name } = chat.cordelia;
      const change = {
        emoji_name: 'tada',
        emoji_code: '1f389',
        user: { user_id, email, full_name },
      };
      const about = { trigger: 'reaction', message: { id: message_id, content: 'Ship it?' } };
      expect(hook.received.map((_, at) => payloadOf(fixture, at))).toMatchObject([
        { ...about, change: { ...change, op: 'add' } },
        { ...about, change: { ...change, op: 'remove' } },
      ]);
      expect(await fixture.repliesIn()).toEqual(['Ship it?', 'I saw that', 'I saw that']);
    },
  ],
  [
    'a bot gets edits and deletions of direct messages; a deleted message comes without its content',
    async (fixture) => {
      const { bot, hook, chat } = fixture;
      const { messages } = fixture.client(chat.cordelia);
      await fixture.client(bot).botChanges.update({ changes: ['edit', 'delete'] });
      const { id: message_id } = await messages.send({
        type: 'direct',
        to: [bot.user_id],
        content: 'one',
      });
      await chat.settled();
      await messages.edit({ message_id, content: 'two' });
      await chat.settled();
      await messages.remove({ message_id });
      await chat.settled();
      expect(hook.received.map((_, at) => payloadOf(fixture, at))).toMatchObject([
        { trigger: 'direct_message' },
        {
          trigger: 'edit',
          message: { id: message_id, content: 'two' },
          change: { orig_content: 'one', user: { user_id: chat.cordelia.user_id } },
        },
        { trigger: 'delete', message: { id: message_id, content: '', rendered_content: '' } },
      ]);
      const deletion = hook.received[2]?.body ?? '';
      for (const content of ['one', 'two']) expect(deletion).not.toContain(`"${content}`);
    },
  ],
];
