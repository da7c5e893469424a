import { Actions, Button, Card, Chat, type Thread } from 'chat';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import {
  type ChatSdkBot,
  type ChatSdkWorld,
  type Mode,
  startChatSdkWorld,
} from './support/chat-sdk-bot.ts';

let world: ChatSdkWorld;
beforeAll(async () => {
  world = await startChatSdkWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const said = (topic: string) => world.said(topic);

describe.each<Mode>(['webhook', 'polling'])('a bot of the Chat SDK that receives by %s', (mode) => {
  let running: ChatSdkBot;
  let bot: Chat;
  const topic = (name: string) => `${name} by ${mode}`;
  /** What the handlers have seen. */
  const seen: string[] = [];

  beforeAll(async () => {
    running = await world.startBot(mode);
    ({ bot } = running);
    bot.onNewMention(async (thread, message) => {
      if (message.text.includes('history')) return history(thread);
      if (message.text.includes('stream')) return void (await thread.post(words()));
      if (message.text.includes('approve')) return void (await thread.post(approval('2.1')));
      await thread.subscribe();
      await thread.post(`Hello ${message.author.fullName}: ${message.text}`);
    });
    bot.onSubscribedMessage(async (thread, message) => {
      await thread.post(`More: ${message.text}`);
    });
    bot.onDirectMessage(async (thread, message) => {
      await thread.post(`Direct: ${message.text}`);
    });
    bot.onAction('approve', async ({ thread, value, user, messageId, adapter, threadId }) => {
      await adapter.editMessage(threadId, messageId, `Approved ${value}: ${user.fullName}`);
      await thread?.post('Done.');
    });
    bot.onReaction(async ({ emoji, rawEmoji, added, user, message }) => {
      const sign = added ? '+' : '-';
      seen.push(`${user.fullName} ${sign}${emoji.name} (${rawEmoji}) on "${message?.text.trim()}"`);
    });
    bot.onMessageUpdated(async (_thread, message, before) => {
      seen.push(`"${before?.text.trim()}" is now "${message.text.trim()}"`);
    });
    bot.onMessageDeleted(async ({ messageId }) => void seen.push(`${messageId} is deleted`));
    await bot.initialize();
  });
  afterAll(() => running[Symbol.asyncDispose]());

  const mention = () => `@**${running.name}**`;

  test('answers a mention in a topic, and then each message of the topic that it subscribes to', async () => {
    await world.say(topic('hello'), `${mention()} are you **there**?`);
    await expect
      .poll(() => said(topic('hello')))
      .toContain(`${running.name}: Hello Cordelia: @${running.name} are you there?`);
    await world.say(topic('hello'), 'and now?');
    await expect.poll(() => said(topic('hello'))).toContain(`${running.name}: More: and now?`);
    // The same topic for the server.
    await world.say(topic('hello').toUpperCase(), 'AND NOW?');
    await expect.poll(() => said(topic('hello'))).toContain(`${running.name}: More: AND NOW?`);
  });

  test('answers a direct message in the same conversation', async () => {
    const { cordelia, hamlet } = world.chat.people;
    const to = [running.id, hamlet.user.id];
    await cordelia.client.messages.send({ type: 'direct', to, content: 'psst' });
    const read = async () => {
      const { messages } = await hamlet.client.messages.fetch({
        narrow: [{ operator: 'dm', operand: [running.id, cordelia.user.id] }],
        anchor: 'newest',
        num_before: 10,
        apply_markdown: false,
      });
      return messages.map(({ content }) => content);
    };
    await expect.poll(read).toEqual(['psst', 'Direct: psst']);
  });

  test('gets the press of a button, whose card it then changes', async () => {
    await world.say(topic('press'), `${mention()} approve it`);
    const card = `${running.name}: **Release 2.1?**\n\nTo answer, mention me and write **Approve**, **Reject**.`;
    await expect.poll(() => said(topic('press'))).toContain(card);
    const [reply = ''] = await world.repliesOfButtons(topic('press'));
    expect(reply).toBe(`@**${running.name}|${running.id}** Approve`);
    await world.say(topic('press'), reply, 'hamlet');
    await expect
      .poll(() => said(topic('press')))
      .toEqual([
        `Cordelia: ${mention()} approve it`,
        `${running.name}: Approved 2.1: Hamlet`,
        `Hamlet: ${reply}`,
        `${running.name}: Done.`,
      ]);
    // The buttons are gone: the words are a mention like any other.
    await world.say(topic('press'), reply, 'hamlet');
    await expect
      .poll(() => said(topic('press')))
      .toContain(`${running.name}: Hello Hamlet: @${running.name} Approve`);
  });

  test('gets reactions, edits and deletions', async () => {
    const { hamlet } = world.chat.people;
    const thread = bot.thread(
      running.adapter.encodeThreadId({ channelId: world.ops, topic: topic('change') }),
    );
    const { id } = await thread.post('React to me');
    const message_id = Number(id) as never;
    await hamlet.client.reactions.add({ message_id, emoji_name: 'check' });
    await hamlet.client.reactions.remove({ message_id, emoji_name: 'check' });
    await expect
      .poll(() => seen)
      .toEqual([
        'Hamlet +check (check) on "React to me"',
        'Hamlet -check (check) on "React to me"',
      ]);
    const { id: direct } = await hamlet.client.messages.send({
      type: 'direct',
      to: [running.id],
      content: 'one',
    });
    await hamlet.client.messages.edit({ message_id: direct, content: 'two' });
    await expect.poll(() => seen.at(-1)).toBe('"one" is now "two"');
  });

  test('streams an answer: one message, which is edited', async () => {
    await world.say(topic('stream'), `${mention()} stream`);
    await expect
      .poll(() => said(topic('stream')))
      .toEqual([`Cordelia: ${mention()} stream`, `${running.name}: To be, or **not** to be.`]);
  });

  test('reads the history of the thread', async () => {
    await world.say(topic('past'), 'first');
    await world.say(topic('past'), 'second', 'hamlet');
    await world.say(topic('past'), `${mention()} history`);
    await expect
      .poll(() => said(topic('past')))
      .toContain(
        `${running.name}: Cordelia: first; Hamlet: second; Cordelia: @${running.name} history`,
      );
  });
});

async function* words() {
  for (const word of ['To be, ', 'or **not** ', 'to be.']) yield word;
}

const approval = (version: string) =>
  Card({
    title: `Release ${version}?`,
    children: [
      Actions([
        Button({ id: 'approve', label: 'Approve', value: version, style: 'primary' }),
        Button({ id: 'reject', label: 'Reject' }),
      ]),
    ],
  });

async function history(thread: Thread): Promise<void> {
  const lines: string[] = [];
  for await (const { author, text } of thread.allMessages)
    lines.push(`${author.fullName}: ${text.trim()}`);
  await thread.post(lines.join('; '));
}
