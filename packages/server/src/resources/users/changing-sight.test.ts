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
const received = async (queue: TestQueue) => (await queue.all()).map(summaryOf);

const added = ({ user }: Person) => [
  `realm_user add ${user.id} ${user.full_name}`,
  ...groups.map((id) => `user_group add_members ${id} ${user.id}`),
];
const hidden = ({ user }: Person) => [
  ...groups.map((id) => `user_group remove_members ${id} ${user.id}`),
  `realm_user remove ${user.id} Unknown user`,
];
const unknown = ({ user }: Person) => `realm_user add ${user.id} Unknown user`;

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

  test('loses a user who leaves the last channel that both share', async () => {
    const stranger = await newStranger();
    const one = await newChannel(guest, stranger);
    const two = await newChannel(guest, stranger);
    await modern.all();
    await legacy.all();
    await stranger.client.subscriptions.remove({ subscriptions: [one.name] });
    expect(await received(modern)).toEqual(['subscription peer_remove']);
    await stranger.client.subscriptions.remove({ subscriptions: [two.name] });
    expect(await received(modern)).toEqual(['subscription peer_remove', ...hidden(stranger)]);
    const peers = ['subscription peer_remove', 'subscription peer_remove'];
    expect(await received(legacy)).toEqual([...peers, ...hidden(stranger), unknown(stranger)]);
  });

  test('loses the subscribers of a channel that they leave, but not those they have written with', async () => {
    const stranger = await newStranger();
    const friend = await newStranger();
    const { name } = await newChannel(guest, stranger, friend);
    const to = [guest.user.id];
    await friend.client.messages.send({ type: 'direct', to, content: 'hello' });
    await modern.all();
    await guest.client.subscriptions.remove({ subscriptions: [name] });
    const events = await received(modern);
    expect(events.filter((text) => text.startsWith('realm_user'))).toEqual([
      `realm_user remove ${stranger.user.id} Unknown user`,
    ]);
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
