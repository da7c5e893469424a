import { type ChannelId, roles, type UserSettings } from '@bellhop/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type Person, startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { addChannel, subscribe } from '../channels/channels.fixture.ts';
import { listen } from '../queues/listen.fixture.ts';

let chat: TestChat;
let rome: ChannelId;
beforeAll(async () => {
  chat = await startTestChat();
  rome = await addChannel(chat, { name: 'rome', subscribers: [chat.people.hamlet] });
});
afterAll(() => chat[Symbol.asyncDispose]());

const FOLLOW = 'automatically_follow_topics_policy';
const UNMUTE = 'automatically_unmute_topics_in_muted_streams_policy';
const MENTIONED = 'automatically_follow_topics_where_mentioned';
let made = 0;

/** A new subscriber of the channel `rome` with these settings. */
async function newPerson(
  settings: Partial<UserSettings> = {},
  { mutes = false, name = `p${++made}` } = {},
): Promise<Person> {
  const person = await chat.addPerson(name, roles.member);
  await subscribe(chat, rome, person.user.id);
  const { kysely } = chat.server.app.db;
  const { id } = person.user;
  await kysely
    .updateTable('realm_user')
    .set({ settings: JSON.stringify(settings) })
    .where('id', '=', id)
    .execute();
  if (mutes)
    await kysely
      .updateTable('subscription')
      .set({ is_muted: true })
      .where('user_id', '=', id)
      .execute();
  return person;
}

/** A topic name that is not in use. */
const newTopic = () => `topic ${++made}`;
const send = ({ client }: Person, topic: string, content = 'x') =>
  client.messages.send({ type: 'channel', to: 'rome', topic, content });
const started = async () => {
  const topic = newTopic();
  const { id } = await send(chat.people.hamlet, topic);
  return { topic, id };
};
const policyOf = async ({ client }: Person, topic: string) => {
  const { user_topics } = await client.queues.register({ fetch_event_types: ['user_topic'] });
  return user_topics?.find((one) => one.topic_name === topic)?.visibility_policy ?? 0;
};

describe('sending a message', () => {
  test('by default follows a topic that the sender starts: answer, event and state', async () => {
    const person = await newPerson();
    const queue = await listen(person);
    const topic = newTopic();
    expect(await send(person, topic)).toMatchObject({ automatic_new_visibility_policy: 3 });
    const event = { stream_id: rome, topic_name: topic, visibility_policy: 3 };
    expect(await queue.events('user_topic')).toMatchObject([event]);
    expect(await policyOf(person, topic)).toBe(3);
    expect(await send(person, topic.toUpperCase())).not.toHaveProperty(
      'automatic_new_visibility_policy',
    );
    expect(await queue.events('user_topic')).toEqual([]);
  });

  test.each<{
    follow: 1 | 2 | 3 | 4;
    unmute: 1 | 2 | 3 | 4;
    mutes: boolean;
    start: 2 | 3 | undefined;
    reply: 2 | 3 | undefined;
  }>([
    { follow: 1, unmute: 4, mutes: false, start: 3, reply: 3 },
    { follow: 2, unmute: 4, mutes: false, start: 3, reply: 3 },
    { follow: 3, unmute: 4, mutes: false, start: 3, reply: undefined },
    { follow: 4, unmute: 4, mutes: false, start: undefined, reply: undefined },
    { follow: 4, unmute: 1, mutes: true, start: 2, reply: 2 },
    { follow: 4, unmute: 2, mutes: true, start: 2, reply: 2 },
    { follow: 4, unmute: 3, mutes: true, start: 2, reply: undefined },
    { follow: 4, unmute: 4, mutes: true, start: undefined, reply: undefined },
    { follow: 4, unmute: 1, mutes: false, start: undefined, reply: undefined },
    // Following precedes unmuting.
    { follow: 3, unmute: 2, mutes: true, start: 3, reply: 2 },
    { follow: 2, unmute: 3, mutes: true, start: 3, reply: 3 },
  ])(
    'with the policies $follow and $unmute, channel muted $mutes, sets $start at the start and $reply in a reply',
    async ({ follow, unmute, mutes, start, reply }) => {
      const person = await newPerson({ [FOLLOW]: follow, [UNMUTE]: unmute }, { mutes });
      expect((await send(person, newTopic())).automatic_new_visibility_policy).toBe(start);
      const { topic } = await started();
      expect((await send(person, topic)).automatic_new_visibility_policy).toBe(reply);
    },
  );

  test('follows a muted topic by sending, but not by starting it', async () => {
    const sender = await newPerson({ [FOLLOW]: 2 });
    const starter = await newPerson();
    const topic = newTopic();
    for (const person of [sender, starter])
      await person.client.userTopics.set({ stream_id: rome, topic, visibility_policy: 1 });
    expect((await send(starter, topic)).automatic_new_visibility_policy).toBeUndefined();
    const older = await listen(sender, { event_types: ['muted_topics'] });
    expect((await send(sender, topic)).automatic_new_visibility_policy).toBe(3);
    expect(await older.all()).toMatchObject([{ type: 'muted_topics', muted_topics: [] }]);
  });

  test('at the same time, lets only the first sender of a topic start it', async () => {
    const [first, second] = [await newPerson(), await newPerson()];
    const topic = newTopic();
    const answers = await Promise.all([
      send(first, topic),
      send(second, topic),
      send(first, topic),
    ]);
    const policies = answers
      .toSorted((one, other) => one.id - other.id)
      .map((answer) => answer.automatic_new_visibility_policy);
    expect(policies).toEqual([3, undefined, undefined]);
  });

  test('in a private channel without shared history starts a topic whose messages the sender never got', async () => {
    const { hamlet } = chat.people;
    const person = await newPerson();
    const channel = { name: 'crypt', subscribers: [hamlet], invite_only: true };
    const id = await addChannel(chat, { ...channel, history_public_to_subscribers: false });
    const say = ({ client }: Person) =>
      client.messages.send({ type: 'channel', to: 'crypt', topic: 'old', content: 'x' });
    await say(hamlet);
    await subscribe(chat, id, person.user.id);
    expect((await say(person)).automatic_new_visibility_policy).toBe(3);
  });

  test('by a bot or in a direct message follows nothing', async () => {
    const { hamlet } = chat.people;
    const { api_key } = await hamlet.client.bots.create({ full_name: 'B', short_name: 'b' });
    const bot = { ...hamlet, api_key, email: 'b-bot@chat.test' };
    const fields = { type: 'channel', to: 'rome', topic: newTopic(), content: 'x' };
    expect((await chat.ask(bot, 'POST /messages', fields)).body).not.toHaveProperty(
      'automatic_new_visibility_policy',
    );
    const person = await newPerson({ [FOLLOW]: 1 });
    const to = [hamlet.user.id];
    expect(await person.client.messages.send({ type: 'direct', to, content: 'x' })).toEqual({
      id: expect.any(Number),
    });
  });
});

describe('a mention', () => {
  test('makes the mentioned person follow the topic, unless they muted the topic or switched this off', async () => {
    const wanting = await newPerson({ [FOLLOW]: 4 });
    const muting = await newPerson({ [FOLLOW]: 4 });
    const declining = await newPerson({ [FOLLOW]: 4, [MENTIONED]: false });
    const { topic } = await started();
    await muting.client.userTopics.set({ stream_id: rome, topic, visibility_policy: 1 });
    const queue = await listen(wanting);
    const people = [wanting, muting, declining];
    const names = people.map(({ user }) => `@**${user.full_name}|${user.id}**`);
    await send(chat.people.hamlet, topic, names.join(' '));
    expect(await Promise.all(people.map((one) => policyOf(one, topic)))).toEqual([3, 1, 0]);
    expect(await queue.events('user_topic')).toMatchObject([{ topic_name: topic }]);
    await send(chat.people.hamlet, topic, names.join(' '));
    expect(await queue.events('user_topic')).toEqual([]);
  });

  test('without a notification or by a wildcard makes nobody follow the topic', async () => {
    const person = await newPerson();
    const { topic } = await started();
    const silent = `@_**${person.user.full_name}** @**topic** \`@**${person.user.full_name}**\``;
    await send(chat.people.hamlet, topic, silent);
    expect(await policyOf(person, topic)).toBe(0);
  });
});

describe('a reaction', () => {
  test('follows or unmutes the topic only with the policy for participating', async () => {
    const people = [
      await newPerson({ [FOLLOW]: 1 }),
      await newPerson({ [FOLLOW]: 2 }),
      await newPerson({ [FOLLOW]: 4, [UNMUTE]: 1 }, { mutes: true }),
      await newPerson({ [FOLLOW]: 4, [UNMUTE]: 1 }),
    ];
    const { topic, id } = await started();
    for (const { client } of people)
      await client.reactions.add({ message_id: id, emoji_name: 'tada' });
    expect(await Promise.all(people.map((one) => policyOf(one, topic)))).toEqual([3, 0, 2, 0]);
  });
});
