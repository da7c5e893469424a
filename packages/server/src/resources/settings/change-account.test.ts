import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { type Person, startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { listen } from '../queues/listen.fixture.ts';
import { resetRealmSettings } from '../realms/realm-settings.fixture.ts';

let chat: TestChat;
beforeAll(async () => (chat = await startTestChat()));
afterAll(() => chat[Symbol.asyncDispose]());
beforeEach(() => resetRealmSettings(chat, {}));

const change = async (person: Person, fields: Record<string, string>) =>
  (await chat.ask(person, 'PATCH /settings', fields)).body;

describe('a new password', () => {
  let count = 0;
  const withPassword = () =>
    chat.addPerson(`osric${(count += 1)}`, undefined, { password: 'first one' });
  const logIn = async (person: Person, password: string) =>
    (await chat.ask(null, 'POST /fetch_api_key', { username: person.email, password })).body;

  test('replaces the old one and leaves the API key and event queues valid', async () => {
    const person = await withPassword();
    const queue = await listen(person);
    const body = await change(person, { old_password: 'first one', new_password: 'second one' });
    expect(body).toEqual({ result: 'success', msg: '' });
    expect(await logIn(person, 'second one')).toMatchObject({ api_key: person.api_key });
    expect(await logIn(person, 'first one')).toMatchObject({ code: 'AUTHENTICATION_FAILED' });
    expect(await queue.all()).toEqual([]);
  });

  test.each([
    [{ old_password: 'wrong one', new_password: 'second one' }, 'Wrong password!'],
    [{ new_password: 'second one' }, 'Wrong password!'],
    [{ old_password: 'first one', new_password: 'short' }, 'The password is too weak.'],
  ])('is refused for %j', async (fields: Record<string, string>, msg) => {
    const person = await withPassword();
    expect(await change(person, fields)).toMatchObject({ code: 'BAD_REQUEST', msg });
    expect(await logIn(person, 'first one')).toMatchObject({ api_key: person.api_key });
  });

  test('is refused after too many wrong old passwords, even with the right one', async () => {
    const person = await withPassword();
    const wrong = { old_password: 'wrong one', new_password: 'second one' };
    for (let at = 0; at < 5; at++)
      expect(await change(person, wrong)).toMatchObject({ msg: 'Wrong password!' });
    expect(await change(person, { ...wrong, old_password: 'first one' })).toMatchObject({
      code: 'RATE_LIMIT_HIT',
    });
  });
});

describe('a new name', () => {
  test('is shown to everybody', async () => {
    const { hamlet, cordelia, polonius } = chat.people;
    const queues = await Promise.all([cordelia, polonius].map((one) => listen(one)));
    expect(await change(hamlet, { full_name: '  Prince ' })).toMatchObject({ result: 'success' });
    for (const queue of queues)
      expect(await queue.all()).toMatchObject([
        {
          type: 'realm_user',
          op: 'update',
          person: { user_id: hamlet.user.id, full_name: 'Prince' },
        },
      ]);
  });

  test.each([
    ['', 'Name too short!'],
    ['x'.repeat(101), 'Name too long!'],
    ['Evil* name', 'Invalid characters in name!'],
    ['Name|3', 'Invalid format!'],
  ])('is refused for %j', async (full_name, msg) => {
    expect(await change(chat.people.cordelia, { full_name })).toMatchObject({
      code: 'BAD_REQUEST',
      msg,
    });
  });

  test('is refused where names may not change, but not to administrators', async () => {
    const { cordelia, iago } = chat.people;
    await resetRealmSettings(chat, { name_changes_disabled: true });
    expect(await change(cordelia, { full_name: 'Queen' })).toMatchObject({
      code: 'BAD_REQUEST',
      msg: 'Name changes are disabled in this organization.',
    });
    expect(await change(cordelia, { full_name: 'Cordelia' })).toMatchObject({ result: 'success' });
    expect(await change(iago, { full_name: 'Ensign' })).toMatchObject({ result: 'success' });
  });

  test('is taken by one of several users who want it at once where names are unique', async () => {
    await resetRealmSettings(chat, { require_unique_names: true });
    const people = await Promise.all([1, 2, 3, 4].map((at) => chat.addPerson(`twin${at}`)));
    const bodies = await Promise.all(people.map((one) => change(one, { full_name: 'Sebastian' })));
    expect(bodies.filter(({ result }) => result === 'success')).toHaveLength(1);
  });

  test('of another active user is refused where names are unique', async () => {
    const { cordelia, shiva } = chat.people;
    await resetRealmSettings(chat, { require_unique_names: true });
    expect(await change(cordelia, { full_name: shiva.user.full_name.toUpperCase() })).toMatchObject(
      {
        msg: 'Unique names required in this organization.',
      },
    );
    expect(await change(shiva, { full_name: 'SHIVA' })).toMatchObject({ result: 'success' });
  });
});

describe('the visibility of the address', () => {
  /** The address of a person in the list of users, as `viewer` sees it. */
  async function seen(viewer: Person, { user }: Person) {
    const { members } = await viewer.client.users.list({ client_gravatar: false });
    const record = members.find(({ user_id }) => user_id === user.id);
    return [record?.email, record?.delivery_email];
  }

  test.each([
    [1, ['iago', 'shiva', 'cordelia', 'polonius']],
    [2, ['iago', 'shiva', 'cordelia']],
    [5, ['iago', 'shiva']],
    [3, ['iago']],
    [4, []],
  ] as const)('%i shows the real address to %j', async (visibility, viewers) => {
    const { hamlet, ...people } = chat.people;
    await change(hamlet, { email_address_visibility: String(visibility) });
    const generated = `user${hamlet.user.id}@chat.test`;
    const email = visibility === 1 ? hamlet.email : generated;
    for (const name of ['iago', 'shiva', 'cordelia', 'polonius'] as const) {
      const delivery_email = (viewers as readonly string[]).includes(name) ? hamlet.email : null;
      expect(await seen(people[name], hamlet), name).toEqual([email, delivery_email]);
    }
    expect(await seen(hamlet, hamlet)).toEqual([email, hamlet.email]);
  });

  test('narrowed from members to administrators is told only to those who lose the address', async () => {
    const { hamlet, iago, cordelia, polonius } = chat.people;
    await change(hamlet, { email_address_visibility: '2' });
    const queues = await Promise.all([iago, cordelia, polonius].map((one) => listen(one)));
    await change(hamlet, { email_address_visibility: '3' });
    const [ofIago, ofCordelia, ofPolonius] = await Promise.all(queues.map((queue) => queue.all()));
    const person = { user_id: hamlet.user.id, delivery_email: null };
    expect([ofIago, ofPolonius]).toEqual([[], []]);
    expect(ofCordelia).toMatchObject([{ type: 'realm_user', op: 'update', person }]);
  });

  test('narrowed together with a new time zone is told before the time zone, whose event names the generated address', async () => {
    const { shiva, cordelia } = chat.people;
    const queue = await listen(cordelia);
    await change(shiva, { email_address_visibility: '4', timezone: 'Europe/Berlin' });
    const { id: user_id } = shiva.user;
    const email = `user${user_id}@chat.test`;
    const events = await queue.events('realm_user');
    expect(events.slice(0, 2)).toMatchObject([
      { person: { user_id, new_email: email } },
      { person: { user_id, email, timezone: 'Europe/Berlin' } },
    ]);
  });
});
