import type { UserId } from '@bellhop/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { commitTogether } from '../../commit-together.fixture.ts';
import { runQueuedJobs } from '../../run-queued-jobs.fixture.ts';
import { type Person, startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { sendBatch } from '../messages/send/send-batch.ts';
import { listen } from '../queues/listen.fixture.ts';
import { markMutedUserRead } from './mark-muted-user-read.ts';

let chat: TestChat;
const now = 1_900_000_000;
beforeAll(async () => {
  chat = await startTestChat({ now: () => now });
});
afterAll(() => chat[Symbol.asyncDispose]());

const write = async ({ client }: Person, to: Person) =>
  (await client.messages.send({ type: 'direct', to: [to.user.id], content: 'x' })).id;

test('messages of a muted user count as read, earlier and later ones', async () => {
  const { iago } = chat.people;
  const reader = await chat.addPerson('ann');
  const before = await write(iago, reader);
  const queue = await listen(reader);
  const user_id = iago.user.id;
  await reader.client.mutedUsers.add({ user_id });
  const after = await write(iago, reader);
  await reader.client.mutedUsers.remove({ user_id });
  await write(iago, reader);
  expect(await queue.all()).toMatchObject([
    { type: 'muted_users', muted_users: [{ id: user_id, timestamp: now }] },
    { type: 'update_message_flags', op: 'add', flag: 'read', messages: [before] },
    { type: 'message', message: { id: after }, flags: ['read'] },
    { type: 'muted_users', muted_users: [] },
    { type: 'message', flags: [] },
  ]);
});

/** Sends a direct message that is stored after `meanwhile`, and was rendered before. */
const writeDuring = (sender: Person, to: Person, meanwhile: () => Promise<unknown>) =>
  chat.server.app.change(chat.realm, async (change) => {
    const request = { realm: chat.realm, sender: sender.user, client: 'test', now, content: 'x' };
    const participants = { ids: [to.user.id] };
    await sendBatch(change, [{ ...request, to: { participants }, read_by_sender: true }]);
    await meanwhile();
  });
const countUnread = async ({ client }: Person) =>
  (await client.queues.register({ fetch_event_types: ['message', 'update_message_flags'] }))
    .unread_msgs?.count;
const runMarking = () => runQueuedJobs(chat, markMutedUserRead.name);

test('a message that was being sent while its sender was muted is marked as read soon after', async () => {
  const { iago } = chat.people;
  const reader = await chat.addPerson('dan');
  const user_id = iago.user.id;
  await writeDuring(iago, reader, () => reader.client.mutedUsers.add({ user_id }));
  expect(await countUnread(reader)).toBe(1);
  await runMarking();
  expect(await countUnread(reader)).toBe(0);
});

test('messages of a user who is no longer muted stay unread', async () => {
  const { iago } = chat.people;
  const reader = await chat.addPerson('eve');
  const user_id = iago.user.id;
  await reader.client.mutedUsers.add({ user_id });
  await reader.client.mutedUsers.remove({ user_id });
  await write(iago, reader);
  await runMarking();
  expect(await countUnread(reader)).toBe(1);
});

test('the initial state has the muted users in the order in which they were muted', async () => {
  const reader = await chat.addPerson('ben');
  const { cordelia, hamlet } = chat.people;
  const bot = await hamlet.client.bots.create({ full_name: 'Noisy', short_name: 'noisy' });
  for (const user_id of [cordelia.user.id, bot.user_id])
    await reader.client.mutedUsers.add({ user_id });
  const { muted_users } = await reader.client.queues.register({
    fetch_event_types: ['muted_users'],
  });
  expect(muted_users?.map(({ id }) => id)).toEqual([cordelia.user.id, bot.user_id]);
});

test('after two changes at the same time the last event has all muted users', async () => {
  const { client } = await chat.addPerson('fay');
  const { cordelia, hamlet, iago } = chat.people;
  const queue = await listen({ client }, { event_types: ['muted_users'] });
  const mute = ({ user }: Person) => client.mutedUsers.add({ user_id: user.id });
  const unmute = ({ user }: Person) => client.mutedUsers.remove({ user_id: user.id });
  const last = async () => (await queue.all()).at(-1);
  const listOf = (...muted: Person[]) => ({
    muted_users: muted.map(({ user: { id } }) => ({ id })),
  });
  await commitTogether(chat, [() => mute(hamlet), () => mute(cordelia)]);
  expect(await last()).toMatchObject(listOf(hamlet, cordelia));
  await commitTogether(chat, [() => mute(iago), () => unmute(hamlet)]);
  expect(await last()).toMatchObject(listOf(iago, cordelia));
});

test('oneself, unknown users, and repeated requests are refused', async () => {
  const { client, user } = await chat.addPerson('carl');
  const { id } = chat.people.cordelia.user;
  const refused = (call: Promise<object>, message: string) =>
    expect(call).rejects.toMatchObject({ code: 'BAD_REQUEST', message });
  await refused(client.mutedUsers.add({ user_id: user.id }), 'Cannot mute self');
  await refused(client.mutedUsers.add({ user_id: 999_999 as UserId }), 'No such user');
  await refused(client.mutedUsers.remove({ user_id: id }), 'User is not muted');
  await client.mutedUsers.add({ user_id: id });
  await refused(client.mutedUsers.add({ user_id: id }), 'User already muted');
});
