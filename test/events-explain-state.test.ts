import type { Person, TestChat } from '@bellhop/server/testing';
import { startTestChat } from '@bellhop/server/testing';
import { expect, test } from 'vitest';

import { explains } from './explains.ts';

type Actor = keyof TestChat['people'];
const readers: readonly Actor[] = ['desdemona', 'iago', 'hamlet', 'polonius'];

/** What somebody does, by name. */
const actions: Record<string, (chat: TestChat) => Promise<unknown>> = {
  'a channel message': ({ people }) =>
    people.hamlet.client.messages.send({
      type: 'channel',
      to: 'verona',
      topic: 'news',
      content: 'hello',
    }),
  'a mention of everybody': ({ people }) =>
    people.iago.client.messages.send({
      type: 'channel',
      to: 'verona',
      topic: 'news',
      content: '@**all** hello',
    }),
  'a message in the empty topic': ({ people }) =>
    people.hamlet.client.messages.send({
      type: 'channel',
      to: 'verona',
      topic: '',
      content: 'hello',
    }),
  'a direct message': ({ people }) =>
    people.hamlet.client.messages.send({
      type: 'direct',
      to: idsOf(people.polonius),
      content: 'hello',
    }),
  'a direct message to several': ({ people }) =>
    people.iago.client.messages.send({
      type: 'direct',
      to: idsOf(people.hamlet, people.polonius, people.desdemona),
      content: 'hello',
    }),
  'a note to self': ({ people }) =>
    people.hamlet.client.messages.send({
      type: 'direct',
      to: idsOf(people.hamlet),
      content: 'hello',
    }),
  'a new public channel': ({ people }) =>
    people.hamlet.client.subscriptions.add({ subscriptions: [{ name: 'venice' }] }),
  'a new private channel': ({ people }) =>
    people.hamlet.client.subscriptions.add({
      subscriptions: [{ name: 'secret' }],
      invite_only: true,
    }),
  'a new channel with others in it': ({ people }) =>
    people.iago.client.subscriptions.add({
      subscriptions: [{ name: 'denmark', description: 'a **state**' }],
      principals: idsOf(people.hamlet, people.polonius, people.iago),
    }),
  'subscribing to a channel that is there': ({ people }) =>
    people.cordelia.client.subscriptions.add({ subscriptions: [{ name: 'verona' }] }),
  'subscribing somebody to a private channel': ({ people }) =>
    people.iago.client.subscriptions.add({
      subscriptions: [{ name: 'council' }],
      principals: idsOf(people.hamlet, people.polonius),
    }),
  'a new bot': ({ people }) =>
    people.hamlet.client.bots.create({
      full_name: 'Echo',
      short_name: 'echo',
      bot_type: 3,
      payload_url: 'http://127.0.0.1:9999/',
    }),
  typing: ({ people }) =>
    people.hamlet.client.typing.send({ op: 'start', to: idsOf(people.polonius, people.desdemona) }),
};

const idsOf = (...people: Person[]) => people.map(({ user }) => user.id);

async function setTheScene({ people }: TestChat): Promise<void> {
  const { desdemona, iago, hamlet, polonius } = people;
  await iago.client.subscriptions.add({
    subscriptions: [{ name: 'verona' }],
    principals: idsOf(desdemona, iago, hamlet, polonius),
  });
  await iago.client.subscriptions.add({ subscriptions: [{ name: 'council' }], invite_only: true });
}

test.each(Object.entries(actions))('%s can be followed by everybody', async (_name, act) => {
  await using chat = await startTestChat();
  await setTheScene(chat);
  await explains(
    readers.map((name) => chat.people[name]),
    () => act(chat),
  );
});

test('nobody hears of a private channel they are not in', async () => {
  await using chat = await startTestChat();
  await setTheScene(chat);
  const { hamlet, cordelia, polonius } = chat.people;
  const events = await explains([cordelia, polonius], () =>
    hamlet.client.subscriptions.add({ subscriptions: [{ name: 'secret' }], invite_only: true }),
  );
  expect(events).toEqual([[], []]);
});
