import type { ChannelId, MessageId, UserSettings } from '@bellhop/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type Person, startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { addChannel, subscribe } from '../channels/channels.fixture.ts';
import { listen } from '../queues/listen.fixture.ts';

let now = 1_700_000_000;
let chat: TestChat;
beforeAll(async () => (chat = await startTestChat({ now: () => now })));
afterAll(() => chat[Symbol.asyncDispose]());

const sendTo = async ({ client }: Person, to: ChannelId, topic = 'plans') =>
  (await client.messages.send({ type: 'channel', to, topic, content: 'text' })).id;
const sendDirect = async ({ client }: Person, ...to: Person[]) =>
  (await client.messages.send({ type: 'direct', to: to.map(({ user }) => user.id), content: 'x' }))
    .id;
const edit = ({ client }: Person, message_id: MessageId, op: 'start' | 'stop' = 'start') =>
  client.typing.edit({ message_id, op });
const refusal = (by: Person, message_id: MessageId) =>
  edit(by, message_id).then(
    () => 'accepted',
    (error: unknown) => error,
  );

let people = 0;
async function addPerson(settings: Partial<UserSettings> = {}): Promise<Person> {
  const person = await chat.addPerson(`editor${++people}`);
  await chat.server.app.db.kysely
    .updateTable('realm_user')
    .set({ settings: JSON.stringify(settings) })
    .where('id', '=', person.user.id)
    .execute();
  return person;
}

describe('editing a direct message', () => {
  test.each(['POST /messages/{id}/typing', 'POST /message_edit_typing'])(
    '%s reaches all participants including the sender, and nobody else',
    async (route) => {
      const { hamlet, cordelia, iago, desdemona } = chat.people;
      const id = await sendDirect(hamlet, cordelia, iago);
      const queues = await Promise.all([hamlet, cordelia, iago].map((one) => listen(one)));
      const stranger = await listen(desdemona);
      const body = route.includes('{id}') ? {} : { message_id: String(id) };
      for (const op of ['start', 'stop'])
        await chat.ask(hamlet, route.replace('{id}', String(id)), { op, ...body });
      const recipient = {
        type: 'direct',
        user_ids: [iago.user.id, hamlet.user.id, cordelia.user.id],
      };
      for (const queue of queues)
        expect(await queue.events('typing_edit_message')).toEqual(
          ['start', 'stop'].map((op) => ({
            id: expect.any(Number),
            type: 'typing_edit_message',
            op,
            sender_id: hamlet.user.id,
            message_id: id,
            recipient,
          })),
        );
      expect(await stranger.events('typing_edit_message')).toEqual([]);
    },
  );

  test('is hidden from participants who do not receive typing notifications', async () => {
    const reader = await addPerson({ receives_typing_notifications: false });
    const id = await sendDirect(chat.people.hamlet, reader);
    const queue = await listen(reader);
    await edit(chat.people.hamlet, id);
    expect(await queue.events('typing_edit_message')).toEqual([]);
  });
});

describe('editing a channel message', () => {
  test('reaches the other subscribers, with the empty topic in the format of each client', async () => {
    const { hamlet, cordelia, iago } = chat.people;
    const channel = await addChannel(chat, { name: 'garden', subscribers: [hamlet, cordelia] });
    const id = await sendTo(hamlet, channel, '');
    const own = await listen(hamlet);
    const modern = await listen(cordelia, { client_capabilities: { empty_topic_name: true } });
    const legacy = await listen(cordelia);
    const stranger = await listen(iago);
    await edit(hamlet, id);
    const recipient = { type: 'channel', channel_id: channel };
    expect(await modern.events('typing_edit_message')).toMatchObject([
      { recipient: { ...recipient, topic: '' } },
    ]);
    expect(await legacy.events('typing_edit_message')).toMatchObject([
      { recipient: { ...recipient, topic: 'general chat' } },
    ]);
    for (const queue of [own, stranger])
      expect(await queue.events('typing_edit_message')).toEqual([]);
  });

  test('is hidden from a later subscriber of a channel with protected history', async () => {
    const { hamlet, cordelia } = chat.people;
    const late = await addPerson();
    const channel = await addChannel(chat, {
      name: 'vault',
      subscribers: [hamlet, cordelia],
      invite_only: true,
      history_public_to_subscribers: false,
    });
    const id = await sendTo(hamlet, channel);
    await subscribe(chat, channel, late.user.id);
    const queues = [await listen(cordelia), await listen(late)] as const;
    await edit(hamlet, id);
    expect(await queues[0].events('typing_edit_message')).toHaveLength(1);
    expect(await queues[1].events('typing_edit_message')).toEqual([]);
  });
});

describe('a user may not announce to edit', () => {
  test.each(['iago', 'polonius', 'desdemona'] as const)(
    "another user's message: %s",
    async (name) => {
      const { hamlet, [name]: other } = chat.people;
      const id = await sendDirect(hamlet, other);
      expect(await refusal(other, id)).toMatchObject({
        code: 'BAD_REQUEST',
        message: "You don't have permission to edit this message",
      });
    },
  );

  test('a message that is missing or hidden from them', async () => {
    const { hamlet, cordelia, iago } = chat.people;
    const hidden = await sendDirect(hamlet, cordelia);
    for (const id of [hidden, 999_999 as MessageId])
      expect(await refusal(iago, id)).toMatchObject({ message: 'Invalid message(s)' });
  });

  test('a message that is too old to be edited', async () => {
    const id = await sendDirect(chat.people.hamlet, chat.people.cordelia);
    now += 86_400;
    expect(await refusal(chat.people.hamlet, id)).toMatchObject({
      message: 'The time limit for editing this message has passed',
    });
  });

  test.each([
    ['send_private_typing_notifications', 'direct'],
    ['send_stream_typing_notifications', 'channel'],
  ] as const)('anything while %s is off', async (setting, kind) => {
    const person = await addPerson({ [setting]: false });
    const channel = await addChannel(chat, { name: `quiet ${kind}`, subscribers: [person] });
    const id = kind === 'direct' ? await sendDirect(person, person) : await sendTo(person, channel);
    expect(await refusal(person, id)).toMatchObject({
      message: 'User has disabled typing notifications for this kind of message',
    });
  });
});
