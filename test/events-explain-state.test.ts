import { type MessageId, roles } from '@bellhop/protocol';
import type { Person, TestChat } from '@bellhop/server/testing';
import { startTestChat } from '@bellhop/server/testing';
import { expect, test } from 'vitest';

import { explains } from './explains.ts';

type Actor = keyof TestChat['people'];
const readers: readonly Actor[] = ['desdemona', 'iago', 'hamlet', 'polonius', 'cordelia'];

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
  'a reaction': async ({ people }) => react(people.hamlet, await said(people.iago)),
  'a reaction of somebody who is not in the channel': async ({ people }) =>
    react(people.cordelia, await said(people.iago)),
  'a reaction taken back': async ({ people }) => {
    const message_id = await said(people.iago);
    await react(people.hamlet, message_id);
    await people.hamlet.client.reactions.remove({ message_id, emoji_name: 'tada' });
  },
  'a poll and a vote': async ({ people }) => {
    const message_id = await said(people.iago, '/poll Tea?\nyes');
    const content = JSON.stringify({ type: 'vote', key: 'canned,0', vote: 1 });
    await people.hamlet.client.submessages.add({ message_id, msg_type: 'widget', content });
  },
  'a bot with another name, role, webhook and channel': async ({ people }) =>
    people.iago.client.bots.update({
      bot_id: await newBot(people.hamlet),
      full_name: 'Renamed',
      role: roles.moderator,
      service_payload_url: 'http://127.0.0.1:9999/other',
      default_sending_stream: 'verona',
      default_all_public_streams: true,
    }),
  'a bot with another owner': async ({ people }) =>
    people.hamlet.client.bots.update({
      bot_id: await newBot(people.hamlet),
      bot_owner_id: people.cordelia.user.id,
    }),
  'a bot given by an administrator to a member': async ({ people }) =>
    people.iago.client.bots.update({
      bot_id: await newBot(people.iago),
      bot_owner_id: people.hamlet.user.id,
    }),
  'a bot that is deactivated': async ({ people }) => {
    const bot_id = await newBot(people.hamlet);
    await people.iago.client.subscriptions.add({
      subscriptions: [{ name: 'verona' }, { name: 'council' }],
      principals: [bot_id],
    });
    await people.hamlet.client.bots.deactivate({ bot_id });
  },
  'a bot with a new API key and token': async ({ people }) => {
    const bot_id = await newBot(people.hamlet);
    await people.hamlet.client.bots.regenerateApiKey({ bot_id });
    await people.hamlet.client.bots.regenerateToken({ bot_id, keep_old_seconds: 60 });
  },
  'a file uploaded, sent and removed': async ({ people: { hamlet } }) => {
    const file = new File(['hello'], 'hello.txt');
    const { url } = await hamlet.client.uploads.create({}, { file });
    const to = { type: 'channel' as const, to: 'verona', topic: 'news' };
    await hamlet.client.messages.send({ ...to, content: `[hello](${url})` });
    const { attachments } = await hamlet.client.attachments.list();
    await hamlet.client.attachments.remove({ attachment_id: attachments[0]?.id ?? 0 });
  },
  typing: ({ people }) =>
    people.hamlet.client.typing.send({ op: 'start', to: idsOf(people.polonius, people.desdemona) }),
};

const said = async ({ client }: Person, content = 'hello') => {
  const message = { type: 'channel', to: 'verona', topic: 'news', content } as const;
  return (await client.messages.send(message)).id;
};
const react = ({ client }: Person, message_id: MessageId) =>
  client.reactions.add({ message_id, emoji_name: 'tada' });
const newBot = async ({ client }: Person) =>
  (
    await client.bots.create({
      full_name: 'Echo',
      short_name: 'echo',
      bot_type: 3,
      payload_url: 'http://127.0.0.1:9999/',
    })
  ).user_id;
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
