import { setTimeout as sleep } from 'node:timers/promises';

import {
  Actions,
  type Attachment,
  Button,
  Card,
  CardText,
  DEFAULT_EMOJI_MAP,
  emoji,
  Table,
} from 'chat';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type ChatSdkBot, type ChatSdkWorld, startChatSdkWorld } from './support/chat-sdk-bot.ts';

let world: ChatSdkWorld;
let running: ChatSdkBot;
beforeAll(async () => {
  world = await startChatSdkWorld();
  running = await world.startBot('polling', 'Caller');
  await running.bot.initialize();
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

const idOf = (topic: string) => running.adapter.encodeThreadId({ channelId: world.ops, topic });
const textOf = async (file: Attachment | undefined) =>
  file?.fetchData && new TextDecoder().decode(await file.fetchData());
const threadIn = (topic: string) => running.bot.thread(idOf(topic));
const reactionsOf = async (id: string) => {
  const { messages } = world.chat.people.hamlet.client;
  const { message } = await messages.fetchOne({ message_id: Number(id) as never });
  return message.reactions.map(({ emoji_name }) => emoji_name);
};

describe('the adapter of the Chat SDK', () => {
  test('posts, edits and deletes a message', async () => {
    const sent = await threadIn('edit').post({ markdown: '**one**' });
    await sent.edit('two');
    expect(await world.said('edit')).toEqual(['Caller: two']);
    await sent.delete();
    expect(await world.said('edit')).toEqual([]);
  });

  test('mentions people by ID, so that they are notified', async () => {
    const { cordelia } = world.chat.people;
    const thread = threadIn('mention');
    await thread.post(`Ask ${thread.mentionUser(String(cordelia.user.id))}`);
    const { messages } = await cordelia.client.messages.fetch({
      narrow: [{ operator: 'is', operand: 'mentioned' }],
      anchor: 'newest',
      num_before: 1,
      apply_markdown: true,
    });
    expect(messages[0]?.content).toContain('@Cordelia');
  });

  test('every emoji of the Chat SDK exists on the server, and comes back as the same', async () => {
    const names = Object.keys(DEFAULT_EMOJI_MAP);
    const { reactions } = world.chat.people.hamlet.client;
    const seen: string[] = [];
    running.bot.onReaction(async ({ emoji: { name } }) => void seen.push(name));
    // A user may add 50 to one message.
    for (let from = 0; from < names.length; from += 40) {
      const { id } = await threadIn('emoji').post(`From ${from}`);
      for (const name of names.slice(from, from + 40))
        await running.adapter.addReaction('', id, name);
      // What people add is what handlers get.
      for (const emoji_name of await reactionsOf(id))
        await reactions.add({ message_id: Number(id) as never, emoji_name });
    }
    await expect.poll(() => seen.toSorted()).toEqual(names.toSorted());
  });

  test('adds a reaction twice and removes it twice without a failure', async () => {
    const sent = await threadIn('react').post('React');
    await sent.addReaction(emoji.party);
    await sent.addReaction(emoji.party);
    expect(await reactionsOf(sent.id)).toEqual(['tada']);
    await sent.removeReaction('tada');
    await sent.removeReaction(emoji.party);
    expect(await reactionsOf(sent.id)).toEqual([]);
  });

  test('uploads files, and reads those that people attach', async () => {
    const thread = threadIn('files');
    const data = Buffer.from('a,b\n1,2\n');
    await thread.post({ markdown: 'The data:', files: [{ data, filename: 'data [1].csv' }] });
    const [posted] = (await running.adapter.fetchMessages(idOf('files'))).messages;
    const [attachment] = posted?.attachments ?? [];
    expect(attachment).toMatchObject({ type: 'file', name: 'data _1_.csv' });
    expect(await textOf(attachment)).toBe('a,b\n1,2\n');
    const stored = JSON.parse(JSON.stringify(attachment)) as typeof attachment;
    expect(stored?.fetchData).toBeUndefined();
    const again = stored && running.adapter.rehydrateAttachment(stored);
    expect(await textOf(again)).toBe('a,b\n1,2\n');
  });

  test('reads pages in both directions, each oldest first', async () => {
    for (const number of [1, 2, 3, 4, 5]) await world.say('pages', `No. ${number}`);
    const read = async (direction: 'forward' | 'backward', cursor?: string) => {
      const options = { direction, limit: 2, ...(cursor ? { cursor } : {}) };
      const { messages, nextCursor } = await running.adapter.fetchMessages(idOf('pages'), options);
      return { texts: messages.map(({ text }) => text.trim()), nextCursor };
    };
    const newest = await read('backward');
    const older = await read('backward', newest.nextCursor);
    const oldest = await read('backward', older.nextCursor);
    expect([newest, older, oldest].map(({ texts }) => texts)).toEqual([
      ['No. 4', 'No. 5'],
      ['No. 2', 'No. 3'],
      ['No. 1'],
    ]);
    expect(oldest.nextCursor).toBeUndefined();
    const first = await read('forward');
    const second = await read('forward', first.nextCursor);
    const last = await read('forward', second.nextCursor);
    expect([first, second, last].map(({ texts }) => texts)).toEqual([
      ['No. 1', 'No. 2'],
      ['No. 3', 'No. 4'],
      ['No. 5'],
    ]);
    expect(last.nextCursor).toBeUndefined();
  });

  test('knows who takes part in a thread, without bots', async () => {
    await using other = await world.startBot('polling', 'Third');
    await other.bot.initialize();
    await world.say('people', 'One');
    await world.say('people', 'Two', 'hamlet');
    const place = { channelId: world.ops, topic: 'people' };
    await other.bot.thread(other.adapter.encodeThreadId(place)).post('Three');
    await threadIn('people').post('Four');
    const participants = await threadIn('people').getParticipants();
    expect(participants.map(({ fullName }) => fullName)).toEqual(['Cordelia', 'Hamlet']);
  });

  test('tells what it knows of threads, channels and people', async () => {
    const { cordelia } = world.chat.people;
    await world.say('info', 'A question');
    const channel = running.bot.channel(`bellhop:${world.ops}`);
    expect(await channel.fetchMetadata()).toMatchObject({
      name: 'ops',
      isDM: false,
      channelVisibility: 'workspace',
      metadata: { description: 'Operations' },
    });
    expect(await running.adapter.fetchThread(idOf('info'))).toMatchObject({
      channelName: 'ops',
      metadata: { topic: 'info' },
    });
    const { threads } = await running.adapter.listThreads(channel.id, { limit: 1 });
    expect(threads).toMatchObject([{ id: idOf('info'), rootMessage: { text: 'A question' } }]);
    const found = await running.adapter.fetchChannelMessages(channel.id, { limit: 1 });
    expect(found.messages).toMatchObject([{ threadId: idOf('info'), text: 'A question' }]);
    expect(await running.adapter.getUser(String(cordelia.user.id))).toMatchObject({
      fullName: 'Cordelia',
      isBot: false,
    });
    expect(await running.adapter.getUser('999999')).toBeNull();
    expect(await running.adapter.fetchMessage(idOf('info'), '999999')).toBeNull();
  });

  test('opens a direct conversation, also in the place of an ephemeral message', async () => {
    const { hamlet } = world.chat.people;
    const user = String(hamlet.user.id);
    const direct = running.bot.thread(await running.adapter.openDM(user));
    await direct.post('For you');
    const thread = threadIn('ephemeral');
    expect(await thread.postEphemeral(user, 'Secret', { fallbackToDM: false })).toBeNull();
    const sent = await thread.postEphemeral(user, 'Secret', { fallbackToDM: true });
    expect(sent).toMatchObject({ usedFallback: true, threadId: direct.id });
    expect(await world.said('ephemeral')).toEqual([]);
    const { messages } = await running.adapter.fetchMessages(direct.id);
    expect(messages.map(({ text, author }) => [text.trim(), author.isMe])).toEqual([
      ['For you', true],
      ['Secret', true],
    ]);
  });

  test('schedules a message, and cancels it', async () => {
    const postAt = new Date(Date.now() + 3_600_000);
    const scheduled = await threadIn('later').schedule('Later', { postAt });
    const list = async () =>
      (await running.adapter.client.scheduledMessages.list()).scheduled_messages;
    expect(await list()).toMatchObject([{ content: 'Later', topic: 'later' }]);
    await scheduled.cancel();
    expect(await list()).toEqual([]);
  });

  test('shows that the bot is typing, and marks as read', async () => {
    const { cordelia } = world.chat.people;
    const { queue_id, last_event_id } = await cordelia.client.queues.register({
      event_types: ['typing'],
      client_capabilities: { stream_typing_notifications: true },
    });
    await threadIn('typing').startTyping('thinking');
    const { events } = await cordelia.client.queues.events({
      queue_id: queue_id ?? '',
      last_event_id,
    });
    expect(events).toMatchObject([{ type: 'typing', op: 'start', topic: 'typing' }]);
    const id = await world.say('typing', 'Read me');
    await threadIn('typing').markAsRead(String(id));
    const { messages } = running.adapter.client;
    const { message } = await messages.fetchOne({ message_id: id as never });
    expect(message.flags).toContain('read');
  });

  test('continues a stream in another message where it is too long', async () => {
    async function* long() {
      for (let line = 0; line < 120; line += 1) yield `${line}: ${'x'.repeat(95)}\n\n`;
    }
    await threadIn('long').post(long());
    const said = await world.said('long');
    expect(said).toHaveLength(2);
    const lines = said.join('\n').match(/^(?:Caller: )?\d+: x{95}$/gm);
    expect(lines).toHaveLength(120);
  });

  test('posts what a heading cannot show before the buttons of a card', async () => {
    const card = Card({
      title: 'Deploy?',
      children: [
        CardText('See <@1>.'),
        Table({ headers: ['job'], rows: [['unit']] }),
        Actions([Button({ id: 'go', label: 'Go' })]),
      ],
    });
    const sent = await threadIn('table').post(card);
    expect(await world.said('table')).toEqual([
      'Caller: **Deploy?**\n\nSee @**|1**.\n\n| job |\n| --- |\n| unit |',
      'Caller: Deploy?\n\nTo answer, mention me and write **Go**.',
    ]);
    await sent.delete();
    expect(await world.said('table')).toHaveLength(1);
  });

  test('two cards with the same button in a thread have different words', async () => {
    const pressed: string[] = [];
    running.bot.onAction('pick', async ({ value, messageId }) => {
      pressed.push(`${value} of ${messageId}`);
    });
    const card = (value: string) =>
      Card({ title: value, children: [Actions([Button({ id: 'pick', label: 'Pick', value })])] });
    const first = await threadIn('twice').post(card('a'));
    const [wordsOfFirst = ''] = await world.repliesOfButtons('twice');
    const second = await threadIn('twice').post(card('b'));
    const [wordsOfSecond = ''] = await world.repliesOfButtons('twice');
    expect(wordsOfSecond).toBe(`${wordsOfFirst} (2)`);
    await world.say('twice', wordsOfSecond);
    // Some clients put a mention before the words of their own.
    await world.say('twice', `@**Caller** ${wordsOfFirst.toLowerCase()}`);
    await world.say('twice', 'pick (2)');
    await expect
      .poll(() => pressed)
      .toEqual([`b of ${second.id}`, `a of ${first.id}`, `b of ${second.id}`]);
  });

  test('messages of other bots do not reach the handlers', async () => {
    const heard: string[] = [];
    running.bot.onNewMessage(/ping/, async (_thread, message) => void heard.push(message.text));
    await using other = await world.startBot('polling', 'Other');
    await other.bot.initialize();
    await other.bot
      .thread(other.adapter.encodeThreadId({ channelId: world.ops, topic: 'loop' }))
      .post('ping from a bot');
    await world.say('loop', 'ping from a person');
    await expect.poll(() => heard).toEqual(['ping from a person']);
    await sleep(100);
    expect(heard).toEqual(['ping from a person']);
  });
});
