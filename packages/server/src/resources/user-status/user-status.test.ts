import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type Person, startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { listen } from '../queues/listen.fixture.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startTestChat();
});
afterAll(() => chat[Symbol.asyncDispose]());

const statusOf = async ({ user }: Person) =>
  (await chat.people.cordelia.client.userStatus.get({ user_id: user.id })).status;

describe('POST /users/me/status', () => {
  test('text, emoji and away change one by one; others learn the changed fields', async () => {
    const person = await chat.addPerson('ann');
    const { id: user_id } = person.user;
    const queue = await listen(chat.people.cordelia, { event_types: ['user_status'] });
    const { userStatus } = person.client;
    expect(await statusOf(person)).toEqual({});
    await userStatus.set({ status_text: ' on leave ' });
    await userStatus.set({ emoji_name: 'car', away: true });
    const emoji = { emoji_name: 'car', emoji_code: '1f697', reaction_type: 'unicode_emoji' };
    expect(await statusOf(person)).toEqual({ status_text: 'on leave', away: true, ...emoji });
    await userStatus.set({ status_text: '', emoji_name: '' });
    expect(await statusOf(person)).toEqual({ away: true });
    await userStatus.set({ away: false });
    expect(await statusOf(person)).toEqual({});
    expect(await queue.all()).toMatchObject([
      { user_id, status_text: 'on leave' },
      { user_id, away: true, ...emoji },
      { user_id, status_text: '', emoji_name: '', emoji_code: '' },
      { user_id, away: false },
    ]);
  });

  test('the emoji of the built-in namespace is accepted under both names', async () => {
    const person = await chat.addPerson('ben');
    const fields = { emoji_name: 'zulip', emoji_code: 'zulip' };
    for (const reaction_type of ['zulip_extra_emoji', 'svc_extra_emoji']) {
      await chat.ask(person, 'POST /users/me/status', { ...fields, reaction_type });
      expect(await statusOf(person)).toEqual({ ...fields, reaction_type: 'svc_extra_emoji' });
    }
  });

  test('clients that remove the emoji may send each of its fields empty', async () => {
    const person = await chat.addPerson('dan');
    await person.client.userStatus.set({ status_text: 'here', emoji_name: 'car' });
    const fields = { emoji_name: '', emoji_code: '', reaction_type: '' };
    expect(await chat.ask(person, 'POST /users/me/status', fields)).toMatchObject({ status: 200 });
    expect(await statusOf(person)).toEqual({ status_text: 'here' });
  });

  test.each([
    [{}, 'Client did not pass any new values.'],
    [{ emoji_code: '1f697' }, 'Client must pass emoji_name if'],
    [{ status_text: 'x'.repeat(61) }, 'status_text is too long (limit: 60 characters)'],
    [{ emoji_name: 'no_such_emoji' }, "Emoji 'no_such_emoji' does not exist"],
    [{ emoji_name: 'car', emoji_code: '1f44d' }, 'Invalid emoji name'],
  ])('%j is refused', async (fields, text) => {
    const { status, body } = await chat.ask(
      chat.people.hamlet,
      'POST /users/me/status',
      fields as Record<string, string>,
    );
    expect([status, body]).toMatchObject([
      400,
      { code: 'BAD_REQUEST', msg: expect.stringContaining(text) as string },
    ]);
  });
});

describe('POST /users/{user_id}/status', () => {
  test('administrators set the status of people, not of bots, deactivated or unknown users', async () => {
    const { iago, shiva, hamlet } = chat.people;
    const person = await chat.addPerson('carl');
    const set = (by: Person, user_id: number) =>
      by.client.userStatus.setOf({ user_id: user_id as never, status_text: 'away' });
    await set(iago, person.user.id);
    expect(await statusOf(person)).toEqual({ status_text: 'away' });
    await expect(set(shiva, person.user.id)).rejects.toMatchObject({
      code: 'UNAUTHORIZED_PRINCIPAL',
    });
    await iago.client.users.deactivate({ user_id: person.user.id });
    const bot = await hamlet.client.bots.create({ full_name: 'Bo', short_name: 'bo' });
    for (const id of [person.user.id, bot.user_id, 999_999])
      await expect(set(iago, id)).rejects.toMatchObject({ message: 'No such user' });
  });
});

test('the initial state has the users with a status', async () => {
  const person = await chat.addPerson('dora');
  await person.client.userStatus.set({ status_text: 'busy' });
  const other = await chat.addPerson('emil');
  await other.client.userStatus.set({ status_text: 'busy' });
  await other.client.userStatus.set({ status_text: '' });
  const { user_status } = await chat.people.polonius.client.queues.register({
    fetch_event_types: ['user_status'],
  });
  expect(user_status?.[person.user.id]).toEqual({ status_text: 'busy' });
  expect(user_status).not.toHaveProperty(String(other.user.id));
});
