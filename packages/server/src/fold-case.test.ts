import { applyEvent } from '@bellhop/client';
import { foldCase, type InitialState, type QueuedEvent } from '@bellhop/protocol';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { subscribe } from './resources/channels/subscribe/subscribing.fixture.ts';
import { listen } from './resources/queues/listen.fixture.ts';
import { createGroup, refused } from './resources/user-groups/user-groups.fixture.ts';
import { startTestChat, type TestChat } from './test-chat.fixture.ts';

let chat: TestChat;
beforeAll(async () => (chat = await startTestChat()));
afterAll(() => chat[Symbol.asyncDispose]());

describe('foldCase', () => {
  test('returns what lower() of the database does, for every character that both know', async () => {
    const { rows } = await sql<{ code: number; folded: string }>`
      select code, lower(chr(code)) as folded from generate_series(1, ${0x10_ff_ff}) code
      where code not between ${0xd8_00} and ${0xdf_ff} and unicode_assigned(chr(code))`.execute(
      chat.server.app.db.kysely,
    );
    expect(rows.length).toBeGreaterThan(250_000);
    const unlike = rows.filter(
      ({ code, folded }) => foldCase(String.fromCodePoint(code)) !== folded,
    );
    expect(unlike).toEqual([]);
  });

  test('returns what lower() of the database does, whatever stands beside a character', async () => {
    const names = ['ΟΔΟΣ', 'ΣΑΣ ΣΑΣ.', 'ας', 'A\u{301}Σ', 'İŞ', 'I\u{307}J\u{301}', 'ẞß', '𐐀𐐨'];
    const { rows } = await sql<{ folded: string }>`
      select lower(name) as folded from unnest(${names}::text[]) name`.execute(
      chat.server.app.db.kysely,
    );
    expect(names.map(foldCase)).toEqual(rows.map(({ folded }) => folded));
  });
});

// Two spellings of a name; toLowerCase changes the first one otherwise than the database.
describe.each([
  ['ΟΔΟΣ', 'οδοσ'],
  ['İŞ', 'iş'],
])('%s and %s are one name:', (name, spelling) => {
  beforeAll(() => subscribe(chat.people.hamlet, [name]));

  test('both spellings find the same channel, and neither creates a second one', async () => {
    const { hamlet } = chat.people;
    const { stream_id } = await hamlet.client.channels.id({ stream: name });
    expect(await hamlet.client.channels.id({ stream: spelling })).toMatchObject({ stream_id });
    const { channels } = hamlet.client;
    await expect(channels.create({ name: spelling, subscribers: [] })).rejects.toMatchObject({
      code: 'CHANNEL_ALREADY_EXISTS',
    });
  });

  test('a message to either spelling reaches a channel', async () => {
    const { hamlet } = chat.people;
    const message = { type: 'channel', topic: 'x', content: 'x' } as const;
    for (const to of [name, spelling])
      expect(await hamlet.client.messages.send({ ...message, to })).toHaveProperty('id');
  });

  test('a user is subscribed and unsubscribed once, with either spelling or both in one request', async () => {
    const { cordelia } = chat.people;
    const { id } = cordelia.user;
    for (const names of [[name], [spelling], [name, spelling]]) {
      expect(await subscribe(cordelia, names)).toMatchObject({ subscribed: { [id]: [name] } });
      expect(await subscribe(cordelia, names)).toMatchObject({
        already_subscribed: { [id]: [name] },
      });
      expect(await cordelia.client.subscriptions.remove({ subscriptions: names })).toMatchObject({
        removed: [name],
      });
    }
  });

  test('a default channel group accepts both spellings of its channel', async () => {
    const { defaultChannelGroups } = chat.people.iago.client;
    const group = { group_name: name, description: '', stream_names: [name, spelling] };
    await expect(defaultChannelGroups.create(group)).resolves.toBeDefined();
  });

  test('a user group with one spelling refuses both to other user groups', async () => {
    await createGroup(chat, { name });
    for (const taken of [name, spelling])
      await expect(createGroup(chat, { name: taken })).rejects.toEqual(refused(/already exists/));
    const user_group_id = await createGroup(chat);
    const { userGroups } = chat.people.hamlet.client;
    await expect(userGroups.update({ user_group_id, name: spelling })).rejects.toEqual(
      refused(/already exists/),
    );
  });

  test('a channel folder and a profile field with one spelling refuse the other to a second one', async () => {
    const { channelFolders, customProfileFields } = chat.people.iago.client;
    await channelFolders.create({ name });
    await expect(channelFolders.create({ name: spelling })).rejects.toEqual(refused(/in use/));
    await customProfileFields.add({ name, field_type: 1 });
    await expect(customProfileFields.add({ name: spelling, field_type: 1 })).rejects.toEqual(
      refused(/already exists/),
    );
  });

  test('mentions of users and groups and links of channels work in both spellings', async () => {
    const { hamlet } = chat.people;
    const group = `${name} team`;
    await createGroup(chat, { name: group });
    const person = await chat.addPerson(`person${name.length}`);
    await person.client.settings.update({ full_name: name });
    for (const written of [name, spelling]) {
      const content = `@**${written}** @*${written} team* #**${written}**`;
      const { rendered } = await hamlet.client.messages.render({ content });
      expect(rendered.match(/class="[a-z-]+"/g)).toEqual([
        'class="user-mention"',
        'class="user-group-mention"',
        'class="stream"',
      ]);
    }
    await expect(hamlet.client.settings.update({ full_name: spelling })).resolves.toBeDefined();
  });
});

// Two spellings of a topic, and another topic that toLowerCase takes for it.
describe.each([
  ['ΟΔΟΣ', 'οδοσ', 'οδος'],
  ['İŞ', 'iş', 'i\u{307}ş'],
])('%s and %s are one topic, and %s is another:', (topic, spelling, other) => {
  const to = `channel of ${topic}`;
  const send = async (written: string) => {
    const message = { type: 'channel', to, topic: written, content: 'x' } as const;
    return (await chat.people.hamlet.client.messages.send(message)).id;
  };

  test('the list of topics, unread messages, visibility policies and narrowed queues tell two topics apart', async () => {
    const { hamlet, cordelia } = chat.people;
    await subscribe(hamlet, [to], { who: [hamlet, cordelia] });
    const { client } = cordelia;
    const { stream_id } = await client.channels.id({ stream: to });
    const event_types = ['message', 'user_topic', 'update_message_flags'] as const;
    const registration = { event_types: [...event_types], apply_markdown: false };
    const { queue_id, last_event_id, ...before } = await client.queues.register(registration);
    const narrow = [['topic', spelling]] as [string, string][];
    const narrowed = await listen(cordelia, { event_types: ['message'], narrow });
    const [first, second, third] = [await send(topic), await send(spelling), await send(other)];
    await client.userTopics.set({ stream_id, topic: spelling, visibility_policy: 1 });
    await client.userTopics.set({ stream_id, topic: other, visibility_policy: 3 });

    const { topics } = await client.channels.topics({ stream_id });
    // The oldest one has the notice about the new channel.
    expect(topics.map(({ max_id }) => max_id).slice(0, -1)).toEqual([third, second]);
    const after = await client.queues.register(registration);
    const unread = [
      { stream_id, topic, unread_message_ids: [first, second] },
      { stream_id, topic: other, unread_message_ids: [third] },
    ];
    expect(after.unread_msgs?.streams).toEqual(expect.arrayContaining(unread));
    expect(after.unread_msgs?.count).toBe((before.unread_msgs?.count ?? 0) + 1);
    const received = (await narrowed.messages()).map(({ message }) => message);
    expect(received).toMatchObject([{ id: first }, { id: second }]);

    if (queue_id === null) throw new Error('no queue');
    const { events } = await client.queues.events({
      queue_id,
      last_event_id,
      dont_block: true,
    });
    const owner = { user_id: cordelia.user.id };
    const state = (events as QueuedEvent[]).reduce(
      (known, event) => applyEvent(known, event, owner),
      before as InitialState,
    );
    expect(state.unread_msgs).toEqual(after.unread_msgs);
    expect(state.user_topics).toEqual(after.user_topics);
  });
});
