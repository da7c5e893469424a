import { MessageId } from '@bellhop/protocol';
import { type Person, startTestChat, type TestChat } from '@bellhop/server/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { expectEventsMatchState } from './support/expect-events-match-state.ts';

type Actor = keyof TestChat['people'];
const readers: readonly Actor[] = ['desdemona', 'iago', 'hamlet', 'polonius'];

/** What is there before anything is changed, by name. All of it is unread for most. */
interface Scene {
  /** Ends the names of its channels: there is one scene after the other. */
  readonly number: number;
  readonly first: MessageId;
  readonly news: MessageId;
  readonly mention: MessageId;
  readonly letter: MessageId;
}

/** What somebody does to messages that are there. */
const actions: Record<string, (chat: TestChat, scene: Scene) => Promise<unknown>> = {
  'an edit that mentions somebody': ({ people }, { news }) =>
    people.hamlet.client.messages.edit({ message_id: news, content: 'see @**Iago** @**all**' }),
  'an edit that mentions nobody any more': ({ people }, { mention }) =>
    people.hamlet.client.messages.edit({ message_id: mention, content: 'see' }),
  'an edit of a direct message': ({ people }, { letter }) =>
    people.hamlet.client.messages.edit({ message_id: letter, content: '@**Polonius** ho' }),
  'one message gets another topic': ({ people }, { news }) =>
    people.iago.client.messages.edit({ message_id: news, topic: 'other' }),
  'the later messages of a topic get the empty one': ({ people }, { news }) =>
    people.iago.client.messages.edit({
      message_id: news,
      topic: '',
      propagate_mode: 'change_later',
      send_notification_to_old_thread: true,
    }),
  'a topic is resolved': ({ people }, { news }) =>
    people.iago.client.messages.edit({
      message_id: news,
      topic: '\u2714 News',
      propagate_mode: 'change_all',
    }),
  'a message gets new content and a new topic': ({ people }, { mention }) =>
    people.hamlet.client.messages.edit({
      message_id: mention,
      content: '@**Iago**',
      topic: 'Other',
      propagate_mode: 'change_all',
    }),
  'a topic goes to another channel': (chat, scene) =>
    moved(chat, scene, { message_id: scene.news, channel: 'venice' }),
  'a topic goes to a channel that few are subscribed to': (chat, scene) =>
    moved(chat, scene, { message_id: scene.news, channel: 'forum' }),
  'a topic goes to a private channel': (chat, scene) =>
    moved(chat, scene, { message_id: scene.news, channel: 'council' }),
  'the first message of a channel goes to one that shows only what was received': (chat, scene) =>
    moved(chat, scene, { message_id: scene.first, channel: 'vault' }),
  'deleting the first message of a channel': ({ people }, { first }) =>
    people.iago.client.messages.remove({ message_id: first }),
  'deleting a message that is unread and starred': ({ people }, { mention }) =>
    people.hamlet.client.messages.remove({ message_id: mention }),
  'deleting a direct message': ({ people }, { letter }) =>
    people.hamlet.client.messages.remove({ message_id: letter }),
};

/** Has Iago move a whole topic, or its only message, with notices in both places. */
async function moved(
  { people: { iago } }: TestChat,
  { number }: Scene,
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

async function setTheScene({ people, server }: TestChat, number: number): Promise<Scene> {
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
  await server.app.db.kysely
    .updateTable('user_message')
    .set({ flags: sql<number>`flags | 2` })
    .where('message_id', '=', mention)
    .execute();
  await say('other', 'hello');
  const write = async (content: string) =>
    (await hamlet.client.messages.send({ type: 'direct', to: idsOf(polonius, iago), content })).id;
  const letter = await write('dear all');
  // Everybody has received something newer than what is changed.
  await write('yours');
  await say('other', 'the last');
  const { streams } = await iago.client.channels.list();
  const first = streams.find(({ name }) => name === verona)?.first_message_id;
  return { number, first: MessageId.parse(first), news, mention, letter };
}

let chat: TestChat;
let scenes = 0;
beforeAll(async () => {
  chat = await startTestChat();
});
afterAll(() => chat[Symbol.asyncDispose]());

test.each(Object.entries(actions))('%s can be followed by everybody', async (_name, act) => {
  const scene = await setTheScene(chat, ++scenes);
  const seen = await expectEventsMatchState(
    readers.map((name) => chat.people[name]),
    () => act(chat, scene),
  );
  expect(seen.flat().length).toBeGreaterThan(0);
});
