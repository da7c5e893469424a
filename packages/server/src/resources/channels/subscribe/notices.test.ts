import type { Message } from '@bellhop/protocol';
import { describe, expect, test } from 'vitest';

import { type Person, startTestChat } from '../../../test-chat.fixture.ts';
import { listen } from '../../queues/listen.fixture.ts';
import { setRealmSettings, subscribe } from './subscribing.fixture.ts';

/** The messages that a person receives while `act` runs, with their flags. */
async function delivered(person: Person, act: () => Promise<unknown>) {
  const queue = await listen(person, { event_types: ['message'] });
  await act();
  return (await queue.messages()).map((event) => ({
    message: event['message'] as Message,
    flags: event['flags'] as string[],
  }));
}

const received = async (person: Person, act: () => Promise<unknown>): Promise<Message[]> =>
  (await delivered(person, act)).map(({ message }) => message);

test('the notices of a change are marked as read for the user who made it', async () => {
  await using chat = await startTestChat();
  const { hamlet, cordelia } = chat.people;
  const own = await delivered(hamlet, () =>
    subscribe(hamlet, ['one'], { who: [hamlet, cordelia] }),
  );
  expect(own).toMatchObject([{ flags: ['read'], message: { subject: 'channel events' } }]);
  const notices = await delivered(hamlet, () =>
    subscribe(cordelia, ['two'], { who: [hamlet, cordelia] }),
  );
  expect(notices).toMatchObject([{ flags: [], message: { subject: 'channel events' } }]);
});

test('a new channel begins with a message that names its creator and its description', async () => {
  await using chat = await startTestChat();
  const { hamlet } = chat.people;
  const { id } = hamlet.user;
  const add = (description: string, settings: object) =>
    received(hamlet, () =>
      hamlet.client.subscriptions.add({
        subscriptions: [{ name: crypto.randomUUID(), description }],
        ...settings,
      }),
    );
  const [open] = await add('about *Verona*', {});
  expect(open).toMatchObject({
    type: 'stream',
    subject: 'channel events',
    sender_full_name: 'Notification Bot',
    client: 'Internal',
    content: `**Public** channel created by @_**Hamlet|${id}**. **Description:**\n\n\`\`\`\`quote\nabout *Verona*\n\`\`\`\``,
  });
  const [hidden] = await add('', { invite_only: true });
  expect(hidden?.content).toMatch(/^\*\*Private, protected history\*\*.*No description/s);
  const [shared] = await add('', { invite_only: true, history_public_to_subscribers: true });
  expect(shared?.content).toMatch(/^\*\*Private, shared history\*\*/);
  const [topicless] = await add('', { topics_policy: 'empty_topic_only' });
  expect(topicless?.subject).toBe('general chat');
  await setRealmSettings(chat, { enable_spectator_access: true });
  const [web] = await received(chat.people.desdemona, () =>
    subscribe(chat.people.desdemona, ['web'], { is_web_public: true }),
  );
  expect(web?.content).toMatch(/^\*\*Web-public\*\*/);
});

test('users whom somebody else subscribes to an existing channel get a direct message', async () => {
  await using chat = await startTestChat();
  const { hamlet, cordelia } = chat.people;
  await subscribe(hamlet, ['Verona']);
  await subscribe(hamlet, ['secret'], { invite_only: true });
  const hello = `@_**Hamlet|${hamlet.user.id}** subscribed you to`;
  const one = await received(cordelia, () =>
    subscribe(hamlet, ['Verona'], { who: [hamlet, cordelia] }),
  );
  expect(one).toMatchObject([
    {
      type: 'private',
      content: `${hello} the channel #**Verona**.`,
      recipient_id: expect.any(Number),
    },
  ]);
  expect(
    await received(cordelia, () => subscribe(hamlet, ['Verona'], { who: [cordelia] })),
  ).toEqual([]);
  await subscribe(hamlet, ['Rome']);
  const [two, opening, ...others] = await received(cordelia, () =>
    subscribe(hamlet, ['secret', 'Rome', 'brand new'], { who: [cordelia] }),
  );
  expect(two?.content).toBe(`${hello} these channels:\n\n* #**secret**\n* #**Rome**`);
  expect(opening?.display_recipient).toBe('brand new');
  expect(others).toEqual([]);
  const own = await received(cordelia, () => subscribe(cordelia, ['Milan']));
  expect(own.map(({ type }) => type)).toEqual(['stream']);
});

test('no direct messages are sent if switched off or to more than 100 new subscribers', async () => {
  await using chat = await startTestChat();
  const { hamlet, cordelia } = chat.people;
  await subscribe(hamlet, ['Verona', 'Rome']);
  const quiet = await received(cordelia, async () => {
    const answer = await subscribe(hamlet, ['Verona'], {
      who: [cordelia],
      send_new_subscription_messages: false,
    });
    expect(answer).not.toHaveProperty('new_subscription_messages_sent');
  });
  expect(quiet).toEqual([]);
  const { kysely } = chat.server.app.db;
  const row = await kysely
    .selectFrom('realm_user')
    .selectAll()
    .where('id', '=', cordelia.user.id)
    .executeTakeFirstOrThrow();
  const { id: _id, settings: _settings, ...shape } = row;
  const crowd = await kysely
    .insertInto('realm_user')
    .values(
      Array.from({ length: 100 }, (_, at) => ({
        ...shape,
        delivery_email: `crowd${at}@chat.test`,
        api_key_mac: Buffer.from(`crowd ${at}`),
      })),
    )
    .returning('id')
    .execute();
  const many = await received(cordelia, async () => {
    const principals = [cordelia.user.id, ...crowd.map(({ id }) => id)];
    const subscriptions = [{ name: 'Rome' }];
    const answer = await hamlet.client.subscriptions.add({ subscriptions, principals });
    expect(Object.keys(answer.subscribed)).toHaveLength(101);
    expect(answer.new_subscription_messages_sent).toBe(false);
  });
  expect(many).toEqual([]);
});

test('new public channels are announced in the channel that the realm has set for announcements', async () => {
  await using chat = await startTestChat();
  const { hamlet, cordelia } = chat.people;
  await subscribe(cordelia, ['news']);
  const { stream_id } = await cordelia.client.channels.id({ stream: 'news' });
  const unset = await received(cordelia, () => subscribe(hamlet, ['x'], { announce: true }));
  expect(unset).toEqual([]);
  await setRealmSettings(chat, { new_stream_announcements_stream_id: stream_id });
  expect(await cordelia.client.queues.register({ fetch_event_types: ['realm'] })).toMatchObject({
    realm_new_stream_announcements_stream_id: stream_id,
  });
  const who = `@_**Hamlet|${hamlet.user.id}** created`;
  const notices = await received(cordelia, async () => {
    await subscribe(hamlet, ['one'], { announce: true });
    await subscribe(hamlet, ['two', 'three'], { announce: true });
    await subscribe(hamlet, ['secret'], { announce: true, invite_only: true });
    await subscribe(hamlet, ['unannounced']);
    await subscribe(hamlet, ['one'], { announce: true });
  });
  expect(notices).toMatchObject([
    { subject: 'new channels', content: `${who} a new channel #**one**.` },
    { subject: 'new channels', content: `${who} new channels: #**two**, #**three**.` },
  ]);
});

describe('a notice resolves no name that a person has typed', () => {
  const html = ({ client }: Person, { id }: Message) =>
    client.messages.fetchOne({ message_id: id }).then(({ message }) => message.content);

  test('a channel, a wildcard and a group in the description of a new channel stay text', async () => {
    await using chat = await startTestChat();
    const { hamlet, cordelia } = chat.people;
    await subscribe(hamlet, ['secret'], { invite_only: true });
    const description = '#**secret** @**all** @*role:members* @**Hamlet**';
    const [first] = await delivered(cordelia, () =>
      cordelia.client.subscriptions.add({ subscriptions: [{ name: 'curious', description }] }),
    );
    if (!first) throw new Error('There is no notice');
    const shown = await html(cordelia, first.message);
    expect(shown).toMatch(/#.*secret.* @.*all.* @.*role:members/);
    expect(shown).not.toMatch(/data-stream-id|data-user-group-id|data-user-id="\*"/);
    expect(first.flags).toEqual(['read']);
  });

  test('Markdown in the name of a channel is shown as it is and mentions nobody', async () => {
    await using chat = await startTestChat();
    const { hamlet, cordelia } = chat.people;
    await subscribe(hamlet, ['secret'], { invite_only: true });
    const hostile = 'a** @**all** #**secret** `x` [c](//e.example)';
    await subscribe(hamlet, [hostile]);
    const [greeting] = await delivered(cordelia, () =>
      subscribe(hamlet, [hostile], { who: [cordelia] }),
    );
    if (!greeting) throw new Error('There is no notice');
    expect(greeting.flags).toEqual([]);
    const shown = await html(cordelia, greeting.message);
    expect(shown).toContain(`<code>#${hostile}</code>`);
    expect(shown).not.toMatch(/<a |data-user-id="\*"/);
  });
});
