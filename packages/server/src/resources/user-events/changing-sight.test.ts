import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { type Person, startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { addChannel } from '../channels/channels.fixture.ts';
import { setRealmGroup, subscribe } from '../channels/subscribe/subscribing.fixture.ts';
import { listen, type TestQueue } from '../queues/listen.fixture.ts';

let chat: TestChat;
let guest: Person;
/** The groups that show every member: `role:fullmembers` and `role:members`. */
let groups: readonly number[];

beforeAll(async () => {
  chat = await startTestChat();
  guest = chat.people.polonius;
  await setRealmGroup(chat, 'can_access_all_users_group', 'role:members');
  const { user_groups } = await chat.people.iago.client.userGroups.list({});
  const names = ['role:fullmembers', 'role:members'];
  groups = user_groups.filter(({ name }) => names.includes(name)).map(({ id }) => id);
});
afterAll(() => chat[Symbol.asyncDispose]());

let created = 0;
/** A member whom the guest does not see. */
const newStranger = () => chat.addPerson(`stranger${(created += 1)}`);
const newChannel = (...subscribers: Person[]) => {
  const name = `square${(created += 1)}`;
  return addChannel(chat, { name, subscribers }).then((id) => ({ id, name }));
};
/** The queues of the guest's clients, with and without `user_list_incomplete`. */
let modern: TestQueue;
let legacy: TestQueue;
beforeEach(async () => {
  modern = await listen(guest, { client_capabilities: { user_list_incomplete: true } });
  legacy = await listen(guest, {});
});

/** An event as text: `realm_user add 12 Cordelia`, `user_group add_members 5 12`, `message`. */
const summaryOf = (event: Record<string, unknown>): string => {
  const { type, op, person, group_id, user_ids } = event as {
    type: string;
    op?: string;
    person?: { user_id: number; full_name: string };
    group_id?: number;
    user_ids?: number[];
  };
  if (person) return `${type} ${op} ${person.user_id} ${person.full_name}`;
  if (group_id !== undefined) return `${type} ${op} ${group_id} ${user_ids?.join()}`;
  return op === undefined ? type : `${type} ${op}`;
};
/** The users whom the guest sees. */
const seen = async () => {
  const { members } = await guest.client.users.list();
  return members.filter(({ full_name }) => full_name !== 'Unknown user').map((one) => one.user_id);
};
const received = async (queue: TestQueue) => (await queue.all()).map(summaryOf);

const added = ({ user }: Person) => [
  `realm_user add ${user.id} ${user.full_name}`,
  ...groups.map((id) => `user_group add_members ${id} ${user.id}`),
];
const expectEnded = (queue: TestQueue) =>
  expect(queue.all()).rejects.toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });

describe('a guest who may not see all users', () => {
  test('gets a user who joins a channel of theirs, before the event of the channel', async () => {
    const stranger = await newStranger();
    const { name } = await newChannel(guest, chat.people.iago);
    await modern.all();
    await legacy.all();
    await subscribe(stranger, [name]);
    for (const queue of [modern, legacy])
      expect(await received(queue)).toEqual([...added(stranger), 'subscription peer_add']);
  });

  test('gets no deactivated group of a user whom they see now, without the capability for them', async () => {
    const stranger = await newStranger();
    const { userGroups } = stranger.client;
    const group = { name: `club${created}`, description: '', members: [stranger.user.id] };
    const { group_id: user_group_id } = await userGroups.create(group);
    await userGroups.deactivate({ user_group_id });
    const { name } = await newChannel(guest);
    await modern.all();
    await subscribe(chat.people.iago, [name], { who: [stranger] });
    const events = await received(modern);
    expect(events).toEqual(expect.arrayContaining(added(stranger)));
    expect(events).not.toContain(`user_group add_members ${user_group_id} ${stranger.user.id}`);
  });

  test('gets the subscribers of a channel that they join', async () => {
    const stranger = await newStranger();
    const { name } = await newChannel(stranger, chat.people.iago);
    await modern.all();
    await subscribe(chat.people.iago, [name], { who: [guest] });
    const events = await received(modern);
    expect(events).toEqual(expect.arrayContaining(added(stranger)));
    expect(events.indexOf(added(stranger)[0] ?? '')).toBeLessThan(
      events.indexOf('subscription add'),
    );
  });

  test('registers again when a user leaves the last channel that both share', async () => {
    const stranger = await newStranger();
    const one = await newChannel(guest, stranger);
    const two = await newChannel(guest, stranger);
    const ofMember = await listen(chat.people.iago);
    await modern.all();
    await legacy.all();
    await stranger.client.subscriptions.remove({ subscriptions: [one.name] });
    for (const queue of [modern, legacy])
      expect(await received(queue)).toEqual(['subscription peer_remove']);
    await stranger.client.subscriptions.remove({ subscriptions: [two.name] });
    for (const queue of [modern, legacy]) await expectEnded(queue);
    expect(await received(ofMember)).toContain('subscription peer_remove');
    expect(await seen()).not.toContain(stranger.user.id);
  });

  test('registers again when they leave a channel, and still sees those they have written with', async () => {
    const stranger = await newStranger();
    const friend = await newStranger();
    const { name } = await newChannel(guest, stranger, friend);
    const to = [guest.user.id];
    await friend.client.messages.send({ type: 'direct', to, content: 'hello' });
    expect(await seen()).toEqual(expect.arrayContaining([stranger.user.id, friend.user.id]));
    await guest.client.subscriptions.remove({ subscriptions: [name] });
    for (const queue of [modern, legacy]) await expectEnded(queue);
    const left = await seen();
    expect(left).toContain(friend.user.id);
    expect(left).not.toContain(stranger.user.id);
  });

  test('keeps their queues when a user leaves a channel and both share another or have written', async () => {
    const friend = await newStranger();
    const { name } = await newChannel(guest, friend);
    const to = [guest.user.id];
    await friend.client.messages.send({ type: 'direct', to, content: 'hello' });
    await modern.all();
    await friend.client.subscriptions.remove({ subscriptions: [name] });
    expect(await received(modern)).toEqual(['subscription peer_remove']);
  });

  test('gets a user who writes to them for the first time, before the message', async () => {
    const stranger = await newStranger();
    await modern.all();
    const to = [guest.user.id];
    for (const content of ['hello', 'again'])
      await stranger.client.messages.send({ type: 'direct', to, content });
    expect(await received(modern)).toEqual([...added(stranger), 'message', 'message']);
  });

  test('gets all participants of a new group conversation', async () => {
    const [one, other] = [await newStranger(), await newStranger()];
    await modern.all();
    const to = [guest.user.id, other.user.id];
    await one.client.messages.send({ type: 'direct', to, content: 'hello' });
    expect(await received(modern)).toEqual([...added(one), ...added(other), 'message']);
  });

  test('gets a user once who begins two conversations with them at the same time', async () => {
    const [stranger, friend] = [await newStranger(), await newStranger()];
    await modern.all();
    const send = (...to: Person[]) =>
      stranger.client.messages.send({
        type: 'direct',
        to: to.map(({ user }) => user.id),
        content: 'hello',
      });
    // The first one runs alone; those that come meanwhile share a transaction.
    await Promise.all([send(stranger), send(guest), send(guest, friend)]);
    const events = await received(modern);
    for (const { user } of [stranger, friend])
      expect(events.filter((text) => text.startsWith(`realm_user add ${user.id} `))).toHaveLength(
        1,
      );
    expect(events.filter((text) => text === 'message')).toHaveLength(2);
  });

  test('gets a new user as "Unknown user", and with user_list_incomplete not at all', async () => {
    await modern.all();
    await legacy.all();
    await chat.people.desdemona.client.users.create({
      email: 'newcomer@chat.test',
      password: 'a-long-password-1',
      full_name: 'Newcomer',
    });
    expect(await received(modern)).toEqual([]);
    expect(await received(legacy)).toEqual([
      expect.stringMatching(/^realm_user add \d+ Unknown user$/),
    ]);
  });

  test('gets a new user who joins a channel of theirs once, with name and groups', async () => {
    const { id } = await newChannel(guest);
    const stream_id = `${id}`;
    await chat.ask(chat.people.iago, 'POST /default_streams', { stream_id });
    await modern.all();
    await legacy.all();
    const { user_id } = await chat.people.desdemona.client.users.create({
      email: 'neighbour@chat.test',
      password: 'a-long-password-1',
      full_name: 'Neighbour',
    });
    for (const queue of [modern, legacy]) {
      const events = await received(queue);
      expect(events.filter((text) => text.startsWith('realm_user'))).toEqual([
        `realm_user add ${user_id} Neighbour`,
      ]);
      expect(events).toEqual(
        expect.arrayContaining(groups.map((group) => `user_group add_members ${group} ${user_id}`)),
      );
    }
    await chat.ask(chat.people.iago, 'DELETE /default_streams', { stream_id });
  });

  test('gets no event about a change of role of a user whom they may not see', async () => {
    const stranger = await newStranger();
    await legacy.all();
    const { desdemona } = chat.people;
    await desdemona.client.users.update({ user_id: stranger.user.id, role: 300 });
    await desdemona.client.users.deactivate({ user_id: stranger.user.id });
    await desdemona.client.users.reactivate({ user_id: stranger.user.id });
    expect(await received(legacy)).toEqual([]);
  });
});
