import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { expectRefused } from '../../expect-refused.fixture.ts';
import { type Person, startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { addChannel, subscribe } from '../channels/channels.fixture.ts';
import { listen } from '../queues/listen.fixture.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startTestChat();
});
afterAll(() => chat[Symbol.asyncDispose]());

const sendTyping = (from: Person, fields: Record<string, string>) =>
  chat.ask(from, 'POST /typing', { op: 'start', ...fields });

const rejection = async (from: Person, fields: Record<string, string>) =>
  (await expectRefused(sendTyping(from, fields), 'BAD_REQUEST'))['msg'];

const withCapability = { client_capabilities: { stream_typing_notifications: true } };
const setSettings = (person: Person, settings: object) =>
  chat.server.app.db.kysely
    .updateTable('realm_user')
    .set({ settings: JSON.stringify(settings) })
    .where('id', '=', person.user.id)
    .execute();

let pairs = 0;
/** Adds two users, a sender and a recipient, whose settings no request has cached yet. */
async function addPair(): Promise<[Person, Person]> {
  pairs++;
  return [await chat.addPerson(`typist${pairs}`), await chat.addPerson(`reader${pairs}`)];
}

describe('typing in a direct message', () => {
  test('sends the event to all participants including the sender, and to nobody else', async () => {
    const { hamlet, cordelia, iago, desdemona } = chat.people;
    const people = [iago, hamlet, cordelia];
    const queues = await Promise.all(people.map((person) => listen(person)));
    const stranger = await listen(desdemona);
    const to = JSON.stringify([cordelia.user.id, iago.user.id]);
    for (const op of ['start', 'stop']) {
      const { status, body } = await sendTyping(hamlet, { op, to });
      expect([status, body]).toEqual([200, { result: 'success', msg: '' }]);
      for (const queue of queues)
        expect(await queue.events('typing')).toEqual([
          {
            id: expect.any(Number),
            type: 'typing',
            op,
            message_type: 'direct',
            sender: { user_id: hamlet.user.id, email: hamlet.email },
            recipients: people.map(({ user, email }) => ({ user_id: user.id, email })),
          },
        ]);
    }
    expect(await stranger.events('typing')).toEqual([]);
  });

  test('reads neither stream_id nor topic, and reports them as supported', async () => {
    const { hamlet, cordelia } = chat.people;
    const { status, body } = await sendTyping(hamlet, {
      to: `[${cordelia.user.id}]`,
      stream_id: '',
      topic: '\0',
    });
    expect([status, body]).toEqual([200, { result: 'success', msg: '' }]);
  });

  test('rejects missing and unknown recipients, and anything but a list of ids', async () => {
    const { hamlet, cordelia } = chat.people;
    await rejection(hamlet, {});
    await rejection(hamlet, { to: '[]' });
    await rejection(hamlet, { to: '[999999]' });
    await rejection(hamlet, { to: `${cordelia.user.id}` });
    await rejection(hamlet, { to: `["${cordelia.email}"]` });
    await rejection(hamlet, { to: `[${cordelia.user.id}]`, op: 'pause' });
    await rejection(hamlet, { to: `[${cordelia.user.id}]`, type: 'private' });
    const { body } = await chat.ask(hamlet, 'POST /typing', { to: '[1]' });
    expect(body).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING', var_name: 'op' });
  });

  test('respects the settings of users who neither send nor receive typing notifications', async () => {
    const [typist, reader] = await addPair();
    await setSettings(reader, { receives_typing_notifications: false });
    const [recipientQueue, ownQueue] = [await listen(reader), await listen(typist)];
    const to = `[${reader.user.id}]`;
    await sendTyping(typist, { to });
    expect(await recipientQueue.events('typing')).toEqual([]);
    expect(await ownQueue.events('typing')).toHaveLength(1);
    const silent = await chat.addPerson('silent');
    await setSettings(silent, { send_private_typing_notifications: false });
    await rejection(silent, { to });
  });
});

describe('typing in a channel', () => {
  test('sends the event to subscribers with the capability, with the topic in the format of their client', async () => {
    const { hamlet, cordelia, desdemona } = chat.people;
    const id = await addChannel(chat, { name: 'stage', subscribers: [hamlet, cordelia] });
    const subscriber = await listen(cordelia, withCapability);
    const exact = await listen(cordelia, {
      client_capabilities: { stream_typing_notifications: true, empty_topic_name: true },
    });
    const others = [await listen(cordelia), await listen(desdemona, withCapability)];
    const event = (topic: string) => ({
      type: 'typing',
      op: 'start',
      message_type: 'stream',
      sender: { user_id: hamlet.user.id, email: hamlet.email },
      stream_id: id,
      topic,
    });
    for (const kind of ['stream', 'channel']) {
      await sendTyping(hamlet, { type: kind, stream_id: `${id}`, topic: 'castle' });
      expect(await subscriber.events('typing')).toMatchObject([event('castle')]);
      expect(await exact.events('typing')).toMatchObject([event('castle')]);
    }
    for (const topic of ['', '(no topic)', 'general chat']) {
      await sendTyping(hamlet, { type: 'stream', stream_id: `${id}`, topic, to: '[999999]' });
      expect(await subscriber.events('typing')).toMatchObject([event('general chat')]);
      expect(await exact.events('typing')).toMatchObject([event('')]);
    }
    for (const queue of others) expect(await queue.events('typing')).toEqual([]);
  });

  test('does not read `to`', async () => {
    const { hamlet } = chat.people;
    const id = await addChannel(chat, { name: 'wings', subscribers: [hamlet] });
    for (const to of ['wings', '5', ''])
      expect(
        await sendTyping(hamlet, { type: 'stream', stream_id: `${id}`, topic: 'x', to }),
      ).toMatchObject({ status: 200 });
  });

  test('rejects a missing channel and topic, and a hidden channel like an unknown one', async () => {
    const { hamlet, iago, polonius } = chat.people;
    const plot = { name: 'plot', subscribers: [iago], invite_only: true };
    const hidden = await addChannel(chat, plot);
    const open = await addChannel(chat, { name: 'open', subscribers: [hamlet] });
    const channel = { type: 'channel', topic: 'x' };
    expect(await rejection(hamlet, channel)).toBe('Missing channel ID');
    await rejection(hamlet, { type: 'channel', stream_id: `${open}` });
    for (const [from, stream_id] of [
      [hamlet, 999_999],
      [hamlet, hidden],
      [polonius, open],
    ] as const)
      expect(await rejection(from, { ...channel, stream_id: `${stream_id}` })).toBe(
        'Invalid channel ID',
      );
    const silent = await chat.addPerson('quiet');
    await setSettings(silent, { send_stream_typing_notifications: false });
    await rejection(silent, { ...channel, stream_id: `${open}` });
  });

  test('sends no event to more than 100 subscribers', async () => {
    const { hamlet } = chat.people;
    const db = chat.server.app.db.kysely;
    const reader = await chat.addPerson('listener');
    const id = await addChannel(chat, { name: 'arena', subscribers: [reader] });
    const crowd = await db
      .insertInto('realm_user')
      .values(
        Array.from({ length: 99 }, (_, at) => ({
          realm_id: chat.realm.id,
          delivery_email: `crowd${at}@chat.test`,
          full_name: `Crowd ${at}`,
          api_key_mac: Buffer.from(`mac ${at}`),
          api_key_sealed: Buffer.from('sealed'),
        })),
      )
      .returning('id')
      .execute();
    await subscribe(chat, id, ...crowd.map((user) => user.id));
    const queue = await listen(reader, withCapability);
    const fields = { type: 'channel', stream_id: `${id}`, topic: 'x' };
    await sendTyping(hamlet, fields);
    expect(await queue.events('typing')).toHaveLength(1);
    await subscribe(chat, id, hamlet.user.id);
    expect((await sendTyping(hamlet, fields)).status).toBe(200);
    expect(await queue.events('typing')).toEqual([]);
  });
});
