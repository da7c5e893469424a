import { createClient } from '@bellhop/client';
import type { MessageId } from '@bellhop/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { commitTogether } from '../../commit-together.fixture.ts';
import { cpuMs } from '../../markdown/cpu-ms.fixture.ts';
import { beginningsIn, wordFinder } from '../../model/alert-words/word-finder.ts';
import { flagBits } from '../../model/messages/read/flags.ts';
import { recipientFlags } from '../../model/messages/read/recipient-flags.ts';
import { type Person, startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { addChannel } from '../channels/channels.fixture.ts';
import { listen } from '../queues/listen.fixture.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startTestChat();
});
afterAll(() => chat[Symbol.asyncDispose]());

describe('alert words', () => {
  test('a word is added and removed in any letter case, once', async () => {
    const { client, user } = await chat.addPerson('ann');
    const queue = await listen({ client }, { event_types: ['alert_words'] });
    const { alertWords } = client;
    const words = { alert_words: ['poison', 'Hamlet', ' the rest ', 'POISON', ' '] };
    expect(await alertWords.add(words)).toEqual({ alert_words: ['Hamlet', 'poison', 'the rest'] });
    expect(await alertWords.remove({ alert_words: ['HAMLET', 'x'] })).toEqual({
      alert_words: ['poison', 'the rest'],
    });
    expect(await alertWords.list()).toEqual({ alert_words: ['poison', 'the rest'] });
    expect(await queue.all()).toMatchObject([
      { alert_words: ['Hamlet', 'poison', 'the rest'] },
      { alert_words: ['poison', 'the rest'] },
    ]);
    const { alert_words } = await client.queues.register({ fetch_event_types: ['alert_words'] });
    expect([user.full_name, alert_words]).toEqual(['Ann', ['poison', 'the rest']]);
  });

  test('after two changes at the same time the last event has all words', async () => {
    const { client } = await chat.addPerson('ben');
    const { add, remove } = client.alertWords;
    const queue = await listen({ client }, { event_types: ['alert_words'] });
    const last = async () => (await queue.all()).at(-1);
    await commitTogether(chat, [
      () => add({ alert_words: ['one'] }),
      () => add({ alert_words: ['two'] }),
    ]);
    expect(await last()).toMatchObject({ alert_words: ['one', 'two'] });
    await commitTogether(chat, [
      () => add({ alert_words: ['three'] }),
      () => remove({ alert_words: ['two'] }),
    ]);
    expect(await last()).toMatchObject({ alert_words: ['one', 'three'] });
  });

  test('the first word of an organization counts for the next message, on every node', async () => {
    await using empty = await startTestChat();
    const { hamlet, cordelia } = empty.people;
    await addChannel(empty, { name: 'Denmark', subscribers: [hamlet, cordelia] });
    const { url } = await empty.anotherNode();
    const there = createClient({ url, email: hamlet.user.delivery_email, apiKey: hamlet.api_key });
    const send = (content: string) =>
      there.messages.send({ type: 'channel', to: 'Denmark', topic: 'skulls', content });
    const words = { alert_words: ['skull'] };
    for (let round = 0; round < 5; round++) {
      await send('nothing yet');
      await cordelia.client.alertWords.add(words);
      const { id } = await send('Alas, a skull!');
      const { message } = await cordelia.client.messages.fetchOne({ message_id: id });
      expect(message.flags).toContain('has_alert_word');
      await cordelia.client.alertWords.remove(words);
    }
  });

  test('a word of more than 100 characters is refused', async () => {
    const alert_words = ['x'.repeat(101)];
    await expect(chat.people.hamlet.client.alertWords.add({ alert_words })).rejects.toMatchObject({
      message: 'An alert word has at most 100 characters.',
    });
  });
});

describe('has_alert_word', () => {
  const flagsOf = async ({ client }: Person, message_id: MessageId) =>
    (await client.messages.fetchOne({ message_id })).message.flags;

  test('a new message has the flag for users with the word, in events and when fetched', async () => {
    const { hamlet, cordelia, iago } = chat.people;
    await addChannel(chat, { name: 'verona', subscribers: [hamlet, cordelia, iago] });
    await hamlet.client.alertWords.add({ alert_words: ['skull', 'to be'] });
    const queue = await listen(hamlet, { event_types: ['message'] });
    const to = { type: 'channel', to: 'verona', topic: 'x' } as const;
    const { id } = await iago.client.messages.send({ ...to, content: 'a **Skull**!' });
    const part = await iago.client.messages.send({ ...to, content: 'numskulls' });
    expect(await queue.all()).toMatchObject([{ flags: ['has_alert_word'] }, { flags: [] }]);
    expect(await flagsOf(hamlet, id)).toContain('has_alert_word');
    expect(await flagsOf(hamlet, part.id)).not.toContain('has_alert_word');
    expect(await flagsOf(cordelia, id)).not.toContain('has_alert_word');
  });

  test('an edit of a message sets and removes the flag', async () => {
    const { hamlet, iago } = chat.people;
    await hamlet.client.alertWords.add({ alert_words: ['skull'] });
    const to = [hamlet.user.id];
    const { id } = await iago.client.messages.send({ type: 'direct', to, content: 'nothing' });
    await iago.client.messages.edit({ message_id: id, content: 'a skull' });
    expect(await flagsOf(hamlet, id)).toContain('has_alert_word');
    await iago.client.messages.edit({ message_id: id, content: 'nothing again' });
    expect(await flagsOf(hamlet, id)).not.toContain('has_alert_word');
  });
});

test('20,000 words that a long message almost has take less than a second of processor time', () => {
  const words = Array.from({ length: 20_000 }, (_, at) => `${'skull '.repeat(15)}${at}`);
  const content = 'skull '.repeat(1666);
  const rounds = [1, 2, 3].map(() =>
    cpuMs(() => {
      expect(beginningsIn([content])).toEqual(['sku']);
      expect(wordFinder(words)(content).size).toBe(0);
      expect(wordFinder([...words, 'skull skull'])(content)).toEqual(new Set(['skull skull']));
    }),
  );
  expect(Math.min(...rounds)).toBeLessThan(1000);
});

test('a word is looked up by its first three characters, where a word may begin', () => {
  expect(beginningsIn(['To be'])).toEqual(['to', 'to ', 'be']);
  expect(beginningsIn(['c++'])).toEqual(['c', 'c+', 'c++', '+']);
  expect(beginningsIn(['ΟΔΟΣ', 'οδοσ'])).toEqual(['οδο']);
  expect(beginningsIn(['𐐀𐐀𐐀𐐀'])).toEqual(['𐐨𐐨𐐨']);
});

test('a word of a user who does not receive a message is not said of it', async () => {
  const { hamlet, cordelia, iago } = chat.people;
  await addChannel(chat, { name: 'elsinore', subscribers: [cordelia, iago] });
  for (const { client } of [hamlet, cordelia])
    await client.alertWords.add({ alert_words: ['ophelia'] });
  const message = { topic: 'x', content: 'fair Ophelia' };
  const sent = [
    await iago.client.messages.send({ type: 'channel', to: 'elsinore', ...message }),
    await iago.client.messages.send({ type: 'direct', to: [cordelia.user.id], ...message }),
  ];
  for (const { id } of sent)
    expect(await recipientFlags(chat.server.app.db.kysely, chat.realm.id, id)).toEqual(
      [
        { user_id: cordelia.user.id, flags: flagBits.has_alert_word },
        { user_id: iago.user.id, flags: 0 },
      ].toSorted((a, b) => a.user_id - b.user_id),
    );
});

test.each([
  ['Alas, a Skull!', 'skull', true],
  ['numskull', 'skull', false],
  ['skull_1', 'skull', false],
  ['Größe', 'größe', true],
  ['i like c++.', 'c++', true],
  ['what? (a.b)', 'a.b', true],
  ['axb', 'a.b', false],
  ['to be, or', 'to be', true],
  ['not to bee', 'to be', false],
  ['a skull', 'SKULL', true],
  ['ΟΔΟΣ', 'οδος', false],
  ['ΟΔΟΣ', 'οδοσ', true],
  ['x', 'x', true],
  ['𐐀 𐐀𐐀 𐐨', '𐐨', true],
  ['𐐀𐐀', '𐐨', false],
  ['(c++)', '++', false],
  ['c ++)', '++', true],
  ['skull', 'skull and bones', false],
])('%j has the whole word %j: %j', (text, word, expected) => {
  expect(wordFinder([word])(text).has(word)).toBe(expected);
});
