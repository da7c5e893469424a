import { MessageId } from '@bellhop/protocol';
import { type Person, startTestChat, type TestChat } from '@bellhop/server/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { expectEventsMatchState } from './support/expect-events-match-state.ts';

type Actor = keyof TestChat['people'];
const readers: readonly Actor[] = ['desdemona', 'iago', 'hamlet', 'polonius'];

/** Messages in new channels, unread for most people. */
interface Fixture {
  /** The suffix of its channels' names. */
  readonly number: number;
  readonly first: MessageId;
  readonly news: MessageId;
  readonly mention: MessageId;
  readonly letter: MessageId;
}

const actions: Record<string, (chat: TestChat, fixture: Fixture) => Promise<unknown>> = {
  'an edit that adds mentions': ({ people }, { news }) =>
    people.hamlet.client.messages.edit({ message_id: news, content: 'see @**Iago** @**all**' }),
  'an edit that removes a mention': ({ people }, { mention }) =>
    people.hamlet.client.messages.edit({ message_id: mention, content: 'see' }),
  'an edit of a direct message': ({ people }, { letter }) =>
    people.hamlet.client.messages.edit({ message_id: letter, content: '@**Polonius** ho' }),
  'a move of one message to another topic': ({ people }, { news }) =>
    people.iago.client.messages.edit({ message_id: news, topic: 'other' }),
  'a move of the later messages to the empty topic': ({ people }, { news }) =>
    people.iago.client.messages.edit({
      message_id: news,
      topic: '',
      propagate_mode: 'change_later',
      send_notification_to_old_thread: true,
    }),
  'resolving a topic': ({ people }, { news }) =>
    people.iago.client.messages.edit({
      message_id: news,
      topic: '\u2714 News',
      propagate_mode: 'change_all',
    }),
  'an edit of content and topic at once': ({ people }, { mention }) =>
    people.hamlet.client.messages.edit({
      message_id: mention,
      content: '@**Iago**',
      topic: 'Other',
      propagate_mode: 'change_all',
    }),
  'a move of a topic to another channel': (chat, fixture) =>
    moved(chat, fixture, { message_id: fixture.news, channel: 'venice' }),
  'a move of a topic to a channel with few subscribers': (chat, fixture) =>
    moved(chat, fixture, { message_id: fixture.news, channel: 'forum' }),
  'a move of a topic to a private channel': (chat, fixture) =>
    moved(chat, fixture, { message_id: fixture.news, channel: 'council' }),
  'a move of the first message of a channel to a channel with protected history': (chat, fixture) =>
    moved(chat, fixture, { message_id: fixture.first, channel: 'vault' }),
  'deleting the first message of a channel': ({ people }, { first }) =>
    people.iago.client.messages.remove({ message_id: first }),
  'deleting a message that is unread and starred': ({ people }, { mention }) =>
    people.hamlet.client.messages.remove({ message_id: mention }),
  'deleting a direct message': ({ people }, { letter }) =>
    people.hamlet.client.messages.remove({ message_id: letter }),
};

/** Moves a topic as Iago, with notices in both channels. */
async function moved(
  { people: { iago } }: TestChat,
  { number }: Fixture,
  { message_id, channel }: { message_id: MessageId; channel: string },
): Promise<void> {
  const { stream_id } = await iago.client.channels.id({ stream: `${channel} ${number}` });
  await iago.client.messages.edit({
    message_id,
    stream_id,
    propagate_mode: 'change_all',
    send_notification_to_old_thread: true,
  });
}

const idsOf = (...people: Person[]) => people.map(({ user }) => user.id);

async function createFixture({ people }: TestChat, number: number): Promise<Fixture> {
  const { desdemona, iago, hamlet, polonius } = people;
  for (const name of ['verona', 'venice'])
    await iago.client.subscriptions.add({
      subscriptions: [{ name: `${name} ${number}` }],
      principals: idsOf(desdemona, iago, hamlet, polonius),
    });
  await iago.client.subscriptions.add({
    subscriptions: [{ name: `forum ${number}` }],
    principals: idsOf(iago, hamlet),
  });
  for (const name of ['council', 'vault'])
    await iago.client.subscriptions.add({
      subscriptions: [{ name: `${name} ${number}` }],
      principals: idsOf(iago, hamlet),
      invite_only: true,
      history_public_to_subscribers: name === 'council',
    });
  const verona = `verona ${number}`;
  const say = async (topic: string, content: string) =>
    (await hamlet.client.messages.send({ type: 'channel', to: verona, topic, content })).id;
  await say('news', 'the first');
  const news = await say('News', 'hello');
  const mention = await say('news', '@**Polonius** hello');
  for (const { client } of [desdemona, iago, hamlet, polonius])
    await client.messages.setFlag({ messages: [mention], op: 'add', flag: 'starred' });
  await say('other', 'hello');
  const write = async (content: string) =>
    (await hamlet.client.messages.send({ type: 'direct', to: idsOf(polonius, iago), content })).id;
  const letter = await write('dear all');
  // Everybody receives messages newer than the changed ones.
  await write('yours');
  await say('other', 'the last');
  const { streams } = await iago.client.channels.list();
  const first = streams.find(({ name }) => name === verona)?.first_message_id;
  return { number, first: MessageId.parse(first), news, mention, letter };
}

let chat: TestChat;
let count = 0;
beforeAll(async () => {
  chat = await startTestChat();
});
afterAll(() => chat[Symbol.asyncDispose]());

test.each(Object.entries(actions))('the events of %s explain the new state', async (_name, act) => {
  const fixture = await createFixture(chat, ++count);
  const seen = await expectEventsMatchState(
    chat,
    readers.map((name) => chat.people[name]),
    () => act(chat, fixture),
  );
  expect(seen.flat().length).toBeGreaterThan(0);
});
