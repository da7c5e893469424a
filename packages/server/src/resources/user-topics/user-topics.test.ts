import type { ChannelId, UserTopic } from '@bellhop/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type Person, startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { addChannel } from '../channels/channels.fixture.ts';
import { listen } from '../queues/listen.fixture.ts';

let chat: TestChat;
let verona: ChannelId;
let now = 1_800_000_000;
beforeAll(async () => {
  chat = await startTestChat({ now: () => now });
  const { hamlet, cordelia } = chat.people;
  verona = await addChannel(chat, { name: 'verona', subscribers: [hamlet, cordelia] });
});
afterAll(() => chat[Symbol.asyncDispose]());

const topicsOf = async ({ client }: Person): Promise<UserTopic[] | undefined> =>
  (await client.queues.register({ fetch_event_types: ['user_topic'] })).user_topics;
const set = ({ client }: Person, topic: string, visibility_policy: 0 | 1 | 2 | 3) =>
  client.userTopics.set({ stream_id: verona, topic, visibility_policy });

describe('POST /user_topics', () => {
  test('sets, changes and removes the policy of a topic in any letter case', async () => {
    const person = await chat.addPerson('ann');
    const queue = await listen(person, {
      client_capabilities: { empty_topic_name: true },
      event_types: ['user_topic'],
    });
    await set(person, 'Balcony', 3);
    await set(person, 'balcony', 3);
    now += 10;
    await set(person, 'balcony', 1);
    await set(person, '', 2);
    const muted = { stream_id: verona, topic_name: 'balcony', last_updated: now };
    expect(await topicsOf(person)).toEqual([
      { ...muted, visibility_policy: 1 },
      { stream_id: verona, topic_name: 'general chat', last_updated: now, visibility_policy: 2 },
    ]);
    await set(person, 'BALCONY', 0);
    expect(await topicsOf(person)).toHaveLength(1);
    expect(await queue.events('user_topic')).toMatchObject([
      { topic_name: 'Balcony', visibility_policy: 3, last_updated: now - 10 },
      { topic_name: 'balcony', visibility_policy: 1, last_updated: now },
      { topic_name: '', visibility_policy: 2 },
      { topic_name: 'BALCONY', visibility_policy: 0 },
    ]);
  });

  test('refuses a channel that the user may not see, an unknown policy and a bad topic', async () => {
    const { hamlet, iago } = chat.people;
    const secret = await addChannel(chat, {
      name: 'secret',
      subscribers: [iago],
      invite_only: true,
    });
    for (const stream_id of [secret, 999_999 as ChannelId])
      await expect(
        hamlet.client.userTopics.set({ stream_id, topic: 'x', visibility_policy: 1 }),
      ).rejects.toMatchObject({ code: 'BAD_REQUEST', message: 'Invalid channel ID' });
    for (const wrong of [{ visibility_policy: '4' }, { topic: 'a\u0007b' }]) {
      const fields = { stream_id: String(verona), topic: 'x', visibility_policy: '1', ...wrong };
      expect((await chat.ask(hamlet, 'POST /user_topics', fields)).body).toMatchObject({
        code: 'BAD_REQUEST',
      });
    }
  });
});

describe('PATCH /users/me/subscriptions/muted_topics', () => {
  const mute = (person: Person, fields: Record<string, string>) =>
    chat.ask(person, 'PATCH /users/me/subscriptions/muted_topics', { topic: 'noise', ...fields });

  test('mutes a topic and stops muting it; a queue for muted_topics gets the list', async () => {
    const person = await chat.addPerson('ben');
    const older = await listen(person, { event_types: ['muted_topics'] });
    const both = await listen(person, { event_types: ['muted_topics', 'user_topic'] });
    expect((await mute(person, { stream: 'VERONA', op: 'add' })).status).toBe(200);
    const { muted_topics, user_topics } = await person.client.queues.register({
      fetch_event_types: ['muted_topics'],
    });
    const list = [['verona', 'noise', now]];
    expect([muted_topics, user_topics]).toEqual([list, undefined]);
    await set(person, 'other', 3);
    expect((await mute(person, { stream_id: String(verona), op: 'remove' })).status).toBe(200);
    expect(await older.all()).toMatchObject([
      { type: 'muted_topics', muted_topics: list },
      { type: 'muted_topics', muted_topics: [] },
    ]);
    expect((await both.all()).map(({ type }) => type)).toEqual(Array(3).fill('user_topic'));
  });

  test('a channel that the user does not see any more is in no list', async () => {
    const person = await chat.addPerson('cesario');
    const id = await addChannel(chat, { name: 'Elba', subscribers: [chat.people.iago] });
    for (const stream of ['Elba', 'verona']) await mute(person, { stream, op: 'add' });
    const { update } = chat.people.iago.client.channels;
    await update({ stream_id: id, is_private: true, new_name: 'Escape from Elba' });
    const older = await listen(person, { event_types: ['muted_topics'] });
    const { muted_topics } = await person.client.queues.register({
      fetch_event_types: ['muted_topics'],
    });
    expect(muted_topics).toEqual([['verona', 'noise', now]]);
    await mute(person, { stream: 'verona', op: 'remove' });
    expect(await older.all()).toMatchObject([{ type: 'muted_topics', muted_topics: [] }]);
  });

  test.each([
    [{ op: 'add' }, /Please supply/],
    [{ stream: 'verona', stream_id: '1', op: 'add' }, /choose one/],
    [{ stream: 'atlantis', op: 'add' }, /Invalid channel name/],
    [{ stream: 'verona', op: 'remove', topic: 'loud' }, /not muted/],
    [{ stream: 'verona', op: 'toggle' }, /op/],
  ])('refuses %j', async (fields, text) => {
    const { status, body } = await mute(chat.people.hamlet, fields as Record<string, string>);
    expect([status, body]).toMatchObject([
      400,
      { code: 'BAD_REQUEST', msg: expect.stringMatching(text) },
    ]);
  });
});

describe('a narrow', () => {
  const find = async ({ client }: Person, operator: string, operand: string) => {
    const narrow = [{ operator, operand }];
    const { messages } = await client.messages.fetch({ anchor: 'newest', num_before: 50, narrow });
    return messages.map(({ subject }) => subject);
  };

  test('is:followed, is:muted and in:home use the policies of topics', async () => {
    const { hamlet, cordelia } = chat.people;
    const person = await chat.addPerson('carl');
    const topics = ['plain', 'Muted', 'unmuted', 'followed'] as const;
    const id = await addChannel(chat, { name: 'hall', subscribers: [person, hamlet] });
    for (const [policy, topic] of topics.entries()) {
      await hamlet.client.messages.send({ type: 'channel', to: 'hall', topic, content: 'x' });
      const visibility_policy = policy as 0 | 1 | 2 | 3;
      await person.client.userTopics.set({
        stream_id: id,
        topic: topic.toUpperCase(),
        visibility_policy,
      });
    }
    expect(await find(person, 'is', 'followed')).toEqual(['followed']);
    expect(await find(person, 'is', 'muted')).toEqual(['Muted']);
    expect(await find(person, 'in', 'home')).toEqual(['plain', 'unmuted', 'followed']);
    await chat.server.app.db.kysely
      .updateTable('subscription')
      .set({ is_muted: true })
      .where('user_id', '=', person.user.id)
      .execute();
    expect(await find(person, 'is', 'muted')).toEqual(['plain', 'Muted']);
    expect(await find(person, 'in', 'home')).toEqual(['unmuted', 'followed']);
    expect(await find(cordelia, 'is', 'followed')).toEqual([]);
  });
});
