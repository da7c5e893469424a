import { type EventType, events, roles, type UserId } from '@bellhop/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';

import { EVERYBODY } from '../../engine/audience.ts';
import { EventQueues, POLLS_CHANNEL } from '../../engine/event-queues.ts';
import type { PersonalFields } from '../../engine/stored-event.ts';
import { presenters } from '../../resources.ts';
import { type Person, startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { addChannel } from '../channels/channels.fixture.ts';
import { setRealmGroup } from '../channels/subscribe/subscribing.fixture.ts';
import { listen } from '../queues/listen.fixture.ts';
import { limitedGuests } from './limited-guests.ts';

let chat: TestChat;
let guest: Person;
let otherGuest: Person;
/** Shares a channel with `otherGuest` only. */
let stranger: Person;
let square: number;

beforeAll(async () => {
  chat = await startTestChat();
  guest = chat.people.polonius;
  otherGuest = await chat.addPerson('ophelia', roles.guest);
  stranger = await chat.addPerson('zenobia');
  square = await addChannel(chat, { name: 'square', subscribers: [guest, otherGuest] });
  await addChannel(chat, { name: 'corner', subscribers: [otherGuest, stranger] });
  await setRealmGroup(chat, 'can_access_all_users_group', 'role:members');
});
afterAll(() => chat[Symbol.asyncDispose]());

/** The types of events that name users. */
const namingUsers = [
  'message',
  'reaction',
  'typing',
  'presence',
  'user_status',
  'realm_user',
  'user_group',
] as const;

const everyType = { stream_typing_notifications: true, include_deactivated_groups: true };
const listenTo = (person: Person) =>
  listen(person, {
    client_capabilities: everyType,
    event_types: [...namingUsers],
  });
const about = ({ user, email }: Person) => ({
  user_id: user.id,
  email,
  full_name: user.full_name,
});
const unknown = ({ user }: Person) => ({
  user_id: user.id,
  email: `user${user.id}@chat.test`,
  full_name: 'Unknown user',
});

const reaction = {
  op: 'add',
  message_id: 1,
  emoji_name: 'tada',
  emoji_code: '1f389',
  reaction_type: 'unicode_emoji',
};

/** Adds an event to the log, as another version of the server may have written it. */
const store = (event: object, personal?: PersonalFields) =>
  chat.server.app.change(chat.realm, async ({ emit }) => emit(event as never, EVERYBODY, personal));

/** A message of the stranger as the log has it. */
async function storedMessage(): Promise<Record<string, unknown>> {
  const { id } = await stranger.client.messages.send({
    type: 'channel',
    to: 'square',
    topic: 'x',
    content: 'hello',
  });
  const rows = await chat.server.app.db.kysely
    .selectFrom('event')
    .select('payload')
    .where('type', '=', 'message')
    .execute();
  const row = rows.find(({ payload }) => (payload['message'] as { id: number }).id === id);
  if (!row) throw new Error('no event');
  return row.payload;
}

test('two guests who know different users each get one event in their own form', async () => {
  const [one, other] = await Promise.all([guest, otherGuest].map(listenTo));
  const { id: message_id } = await stranger.client.messages.send({
    type: 'channel',
    to: 'square',
    topic: 'x',
    content: 'hello',
  });
  await stranger.client.reactions.add({ message_id, emoji_name: 'tada' });
  await chat.ask(stranger, 'POST /typing', {
    type: 'channel',
    stream_id: `${square}`,
    topic: 'x',
    op: 'start',
  });
  const expected = ({ user_id, email, full_name }: ReturnType<typeof about>) => [
    {
      type: 'message',
      message: { sender_id: user_id, sender_email: email, sender_full_name: full_name },
    },
    { type: 'reaction', user: { user_id, email, full_name } },
    { type: 'typing', sender: { user_id, email } },
  ];
  expect(await one?.all()).toMatchObject(expected(unknown(stranger)));
  expect(await other?.all()).toMatchObject(expected(about(stranger)));
});

test('a poll that waits gets an event about somebody in the form of its guest, and loses none that comes meanwhile', async () => {
  const register = { event_types: ['reaction', 'user_status', 'realm_user'] };
  const { queue_id, last_event_id } = await guest.client.queues.register(register);
  const poll = guest.client.queues.events({ queue_id: queue_id ?? '', last_event_id });
  while (chat.server.app.queues.waiting === 0) await new Promise(setImmediate);
  // The guest gets none of these events, so the poll must go on waiting.
  await stranger.client.userStatus.set({ status_text: 'busy' });
  await chat.people.desdemona.client.users.update({
    user_id: stranger.user.id,
    full_name: 'zenobia',
  });
  const person = { user_id: stranger.user.id, user: about(stranger) };
  await Promise.all(
    [1, 2, 3].map((message_id) => store({ type: 'reaction', ...reaction, ...person, message_id })),
  );
  const { events: first } = await poll;
  const last = first.at(-1)?.id ?? 0;
  const rest = await guest.client.queues.events({
    queue_id: queue_id ?? '',
    last_event_id: last,
    dont_block: true,
  });
  const all = [...first, ...rest.events];
  expect(all).toMatchObject([1, 2, 3].map(() => ({ type: 'reaction', user: unknown(stranger) })));
});

describe('an event that was stored before the upgrade, with fields for those who did not see somebody,', () => {
  test('names a user to those readers alone who see the user when it is delivered', async () => {
    const payload = await storedMessage();
    const [one, other] = await Promise.all([guest, otherGuest].map(listenTo));
    const hidden = unknown(stranger);
    const sender = { sender_email: hidden.email, sender_full_name: hidden.full_name };
    await store(payload, { users: { [guest.user.id]: { sender } } });
    const { user_id } = hidden;
    await store(
      { type: 'reaction', ...reaction, user_id, user: about(stranger) },
      { users: { [guest.user.id]: { user: hidden } } },
    );
    await store({
      type: 'realm_user',
      op: 'remove',
      person: { user_id, full_name: 'Unknown user' },
    });
    const names = (list: readonly object[] = []) => JSON.stringify(list);
    const ofGuest = await one?.all();
    expect(ofGuest).toMatchObject([
      { type: 'message', message: sender },
      { type: 'reaction', user: hidden },
      { type: 'realm_user', op: 'remove', person: { user_id } },
    ]);
    expect(names(ofGuest)).not.toContain('zenobia');
    expect(names(await other?.all())).toContain('zenobia');
  });
});

describe('on a node that hears of no deleted queue and has cached another setting of the realm, a guest', () => {
  const nodes: AsyncDisposable[] = [];
  afterAll(async () => {
    for (const node of nodes) await node[Symbol.asyncDispose]();
  });

  async function deafNode(): Promise<EventQueues> {
    const db = await chat.openDatabase();
    const former = { ...(await chat.server.app.realms.byId(chat.realm.id)) };
    const queues = new EventQueues({
      db: {
        ...db,
        listen: async (channel, onPayload) =>
          channel === POLLS_CHANNEL ? () => {} : db.listen(channel, onPayload),
      },
      presenters: presenters(chat.server.app.secrets),
      shownToGuest: limitedGuests(db.kysely, async () => ({
        ...former,
        guests_see_all_users: true,
      })),
      onError: () => {},
    });
    await queues.start();
    nodes.push({
      [Symbol.asyncDispose]: async () => {
        queues.stop();
        await db.close();
      },
    });
    return queues;
  }

  async function showUsersTo(name: string) {
    const { client } = chat.people.desdemona;
    const { user_groups } = await client.userGroups.list();
    const group = user_groups.find((one) => one.name === name);
    if (!group) throw new Error(`no group ${name}`);
    await client.realms.update({ can_access_all_users_group: { new: group.id } });
  }
  async function register(event_types: string[]) {
    const { queue_id, last_event_id } = await guest.client.queues.register({ event_types });
    return { queue_id: queue_id ?? '', last_event_id };
  }
  const poll = (
    queues: EventQueues,
    queue: { readonly queue_id: string; readonly last_event_id: number },
    wait = false,
  ) =>
    queues.poll({
      ...queue,
      realm: chat.realm.id,
      user_id: guest.user.id,
      dont_block: !wait,
      signal: new AbortController().signal,
    });
  const say = () =>
    stranger.client.messages.send({ type: 'channel', to: 'square', topic: 'x', content: 'hello' });
  const fromUnknown = { message: { sender_full_name: 'Unknown user' } };

  test('who sees only some users gets no name of another, from a waiting poll or a later one', async () => {
    const queues = await deafNode();
    const queue = await register(['message']);
    const waiting = poll(queues, queue, true);
    while (queues.waiting === 0) await new Promise(setImmediate);
    await say();
    expect(await waiting).toMatchObject([fromUnknown]);
    expect(await poll(queues, queue)).toMatchObject([fromUnknown]);
  });

  test('who stops seeing a user gets no event from that change on, and no name of the user in a new queue', async () => {
    const queues = await deafNode();
    await addChannel(chat, { name: 'terrace', subscribers: [guest, stranger] });
    const queue = await register(['message', 'subscription', 'realm_user']);
    await say();
    const waiting = poll(queues, { ...queue, ...(await lastOf(queues, queue)) }, true);
    while (queues.waiting === 0) await new Promise(setImmediate);
    await guest.client.subscriptions.remove({ subscriptions: ['terrace'] });
    await say();
    expect(await waiting).toEqual([]);
    const later = poll(queues, queue);
    await expect(later).rejects.toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
    const fresh = await register(['message']);
    await say();
    expect(await poll(queues, fresh)).toMatchObject([fromUnknown]);
  });

  test('whose queues a change ends gets no later event, even if the change names only users whom they do not see', async () => {
    const queues = await deafNode();
    const waiting = poll(queues, await register(['message']), true);
    while (queues.waiting === 0) await new Promise(setImmediate);
    await chat.server.app.change(chat.realm, async ({ emit, endQueues }) => {
      emit({ type: 'user_status', user_id: stranger.user.id, status_text: 'busy' }, EVERYBODY);
      await endQueues([guest.user.id]);
    });
    await say();
    expect(await waiting).toEqual([]);
  });

  async function lastOf(queues: EventQueues, queue: Awaited<ReturnType<typeof register>>) {
    const found = await poll(queues, queue);
    expect(found).toMatchObject([{ message: { sender_full_name: 'zenobia' } }]);
    return { last_event_id: found.at(-1)?.id ?? 0 };
  }

  test('gets events without names from the change on that makes the realm hide users', async () => {
    const queues = await deafNode();
    await showUsersTo('role:everyone');
    const queue = await register(['message']);
    await say();
    expect(await poll(queues, queue)).toMatchObject([{ message: { sender_full_name: 'zenobia' } }]);
    await showUsersTo('role:members');
    await say();
    await expect(poll(queues, queue)).rejects.toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
    const fresh = await register(['message']);
    await say();
    expect(await poll(queues, fresh)).toMatchObject([fromUnknown]);
  });
});

/** Fields with an address, a name or a picture of a user. */
const PROFILE = /(^|_)email$|full_name|avatar/;
/** Types of events with fields like those of profiles, which nevertheless show nothing of other users. */
const HARMLESS: Partial<Record<EventType, string>> = {
  realm_bot: 'every guest sees every bot',
};

function fieldsOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own = 'properties' in schema ? Object.keys(schema.properties as object) : [];
  return [...own, ...Object.values(schema).flatMap(fieldsOf)];
}

describe('a type of event', () => {
  const profiles = Object.entries(events)
    .map(([type, { schema }]) => {
      const fields = fieldsOf(z.toJSONSchema(schema, { unrepresentable: 'any', io: 'output' }));
      return { type: type as EventType, shows: fields.filter((name) => PROFILE.test(name)) };
    })
    .filter(({ shows }) => shows.length > 0);

  test('with an address, a name or a picture of a user is presented to guests', () => {
    for (const { type, shows } of profiles)
      expect([...namingUsers, ...Object.keys(HARMLESS)], shows.join()).toContain(type);
    for (const type of Object.keys(HARMLESS))
      expect(profiles.map((one) => one.type)).toContain(type);
  });

  const times = { active_timestamp: 1, idle_timestamp: 1 };
  type Sample = (user_id: UserId) => object | Promise<object>;
  const samples: Record<(typeof namingUsers)[number], Sample> = {
    message: () => storedMessage(),
    reaction: (user_id) => ({ ...reaction, user_id, user: about(stranger) }),
    typing: (user_id) => ({
      op: 'start',
      message_type: 'direct',
      sender: { user_id, email: stranger.email },
      recipients: [{ user_id, email: stranger.email }],
    }),
    presence: (user_id) => ({ user_id, email: stranger.email, server_timestamp: 1, times }),
    user_status: (user_id) => ({ user_id, status_text: 'zenobia' }),
    realm_user: () => ({ op: 'update', person: about(stranger) }),
    user_group: async (user_id) => {
      const { user_groups } = await stranger.client.userGroups.list();
      return { op: 'add', group: { ...user_groups[0], members: [user_id] } };
    },
  };

  test.each(Object.entries(samples))(
    '%s shows a guest nothing of a user whom they do not know, and others all',
    async (type, sample) => {
      const event = { type, ...(await sample(stranger.user.id)) };
      const [one, other] = await Promise.all([guest, otherGuest].map(listenTo));
      await store(event);
      const [ofGuest, ofOther] = [JSON.stringify(await one?.all()), await other?.all()];
      expect(ofGuest).not.toMatch(/zenobia/i);
      if (type === 'user_group') expect(ofGuest).not.toContain(`${stranger.user.id}`);
      expect(ofOther).toMatchObject([{ type }]);
    },
  );
});
