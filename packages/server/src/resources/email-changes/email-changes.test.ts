import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { type Person, startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { listen } from '../queues/listen.fixture.ts';
import { resetRealmSettings } from '../realms/realm-settings.fixture.ts';
import { newEmailKey } from './new-email-key.fixture.ts';

let chat: TestChat;
let now = 1_800_000_000;
beforeAll(
  async () =>
    (chat = await startTestChat({
      now: () => now,
      env: { BELLHOP_DAILY_EMAIL_CHANGES_USER: '5' },
    })),
);
afterAll(() => chat[Symbol.asyncDispose]());
beforeEach(() => resetRealmSettings(chat, {}));

const NOT_VALID =
  'This link is not valid: it has expired, was used before, or a newer one was sent.';
let count = 0;
const newPerson = () => chat.addPerson(`reynaldo${++count}`);
const newAddress = () => `reynaldo${count}@example.com`;
const request = async (person: Person, email: string) =>
  (await chat.ask(person, 'PATCH /settings', { email })).body;
const confirm = async (key: string) =>
  (await chat.ask(null, 'POST /email_changes/confirm', { key })).body;
const addressOf = async ({ user }: Person) =>
  (await chat.people.iago.client.users.get({ user_id: user.id })).user.delivery_email;

describe('a new address of a user', () => {
  test('replaces the old address when its owner confirms it, and the old address gets a mail', async () => {
    const person = await newPerson();
    const email = newAddress();
    const queue = await listen(chat.people.hamlet);
    const key = await newEmailKey(chat, person, email);
    expect(await addressOf(person)).toBe(person.email);
    expect(await confirm(key)).toMatchObject({ user_id: person.user.id, email });
    expect(await addressOf(person)).toBe(email);
    const user_id = person.user.id;
    expect(await queue.events('realm_user')).toMatchObject([
      { op: 'update', person: { user_id, new_email: email } },
      { op: 'update', person: { user_id, avatar_source: 'G' } },
      { op: 'update', person: { user_id, delivery_email: email } },
    ]);
    await vi.waitFor(
      () =>
        expect(chat.mails.findLast(({ to }) => to === person.email)).toMatchObject({
          subject: 'Your e-mail address at Test has changed',
          text: expect.stringContaining(email),
        }),
      15_000,
    );
  });

  test('is the login of the user from then on, and their event queues end', async () => {
    const person = await newPerson();
    const { queue_id } = await person.client.queues.register({});
    const email = newAddress();
    await confirm(await newEmailKey(chat, person, email));
    expect((await chat.ask(person, 'GET /users/me')).body).toMatchObject({
      code: 'UNAUTHORIZED',
    });
    const moved = { ...person, email };
    expect((await chat.ask(moved, 'GET /users/me')).body).toMatchObject({ delivery_email: email });
    const poll = { queue_id: queue_id ?? '', last_event_id: '-1', dont_block: 'true' };
    expect((await chat.ask(moved, 'GET /events', poll)).body).toMatchObject({
      code: 'BAD_EVENT_QUEUE_ID',
    });
  });

  test('a link in a mail from before a deactivation confirms no address', async () => {
    const { iago } = chat.people;
    const person = await newPerson();
    const { id: user_id } = person.user;
    const key = await newEmailKey(chat, person, newAddress());
    await iago.client.users.deactivate({ user_id });
    await iago.client.users.reactivate({ user_id });
    expect(await confirm(key)).toMatchObject({ code: 'BAD_REQUEST', msg: NOT_VALID });
    expect(await addressOf(person)).toBe(person.email);
  });

  test('is shown only to those who may see the address', async () => {
    const person = await newPerson();
    await person.client.settings.update({ email_address_visibility: 3 });
    const [member, administrator] = [
      await listen(chat.people.hamlet),
      await listen(chat.people.iago),
    ];
    const email = newAddress();
    await confirm(await newEmailKey(chat, person, email));
    expect(await member.events('realm_user')).toEqual([]);
    expect(await administrator.events('realm_user')).toMatchObject([
      { person: { user_id: person.user.id, delivery_email: email } },
    ]);
  });

  test('changes nothing and sends no mail if it is the present one', async () => {
    const person = await newPerson();
    expect(await request(person, ` ${person.email} `)).toEqual({ result: 'success', msg: '' });
    expect(chat.mails.filter(({ to }) => to === person.email)).toEqual([]);
  });

  test.each([
    ['not an address', 'Enter a valid email address.'],
    ['HAMLET@chat.test', "Email 'HAMLET@chat.test' already in use"],
  ])('is refused if it is %j', async (email, msg) => {
    expect(await request(await newPerson(), email)).toMatchObject({ code: 'BAD_REQUEST', msg });
  });

  test.each([
    ['a guest', 'guest', 600],
    ['a member who may not see the address', 'member', 400],
  ] as const)('in use by another user is not revealed to %s', async (_who, name, role) => {
    const hidden = await chat.addPerson(`hidden${name}`);
    await hidden.client.settings.update({ email_address_visibility: 4 });
    const person = await chat.addPerson(name, role);
    expect(await request(person, hidden.email)).toEqual({ result: 'success', msg: '' });
    await vi.waitFor(
      () =>
        expect(chat.mails.findLast(({ to }) => to === hidden.email)?.text).toContain(
          'which your account there has. Nothing has changed.',
        ),
      15_000,
    );
  });

  test('is refused to members but not to administrators while email_changes_disabled', async () => {
    const person = await newPerson();
    const key = await newEmailKey(chat, person, newAddress());
    await resetRealmSettings(chat, { email_changes_disabled: true });
    const refusal = { msg: 'Email address changes are disabled in this organization.' };
    expect(await request(person, 'elsewhere@example.com')).toMatchObject(refusal);
    expect(await confirm(key)).toMatchObject(refusal);
    expect(await request(chat.people.iago, 'iago@example.com')).toMatchObject({
      result: 'success',
    });
  });

  test('can be requested five times a day', async () => {
    const person = await newPerson();
    for (let at = 0; at < 5; at++)
      expect(await request(person, `${at}${newAddress()}`)).toMatchObject({ result: 'success' });
    expect(await request(person, newAddress())).toMatchObject({ code: 'RATE_LIMIT_HIT' });
    now += 86_400;
    expect(await request(person, newAddress())).toMatchObject({ result: 'success' });
  });
});

describe('the link that confirms an address', () => {
  test('works once', async () => {
    const key = await newEmailKey(chat, await newPerson(), newAddress());
    expect(await confirm(key)).toMatchObject({ result: 'success' });
    expect(await confirm(key)).toMatchObject({ msg: NOT_VALID });
  });

  test('does not work after a day', async () => {
    const key = await newEmailKey(chat, await newPerson(), newAddress());
    now += 86_400;
    expect(await confirm(key)).toMatchObject({ msg: NOT_VALID });
  });

  test('does not work after the user asked for another address', async () => {
    const person = await newPerson();
    const key = await newEmailKey(chat, person, newAddress());
    await newEmailKey(chat, person, `other.${newAddress()}`);
    expect(await confirm(key)).toMatchObject({ msg: NOT_VALID });
  });

  test('does not work after an owner gave the user an address', async () => {
    const person = await newPerson();
    const key = await newEmailKey(chat, person, newAddress());
    const new_email = `given.${newAddress()}`;
    await chat.people.desdemona.client.users.update({ user_id: person.user.id, new_email });
    expect(await confirm(key)).toMatchObject({ msg: NOT_VALID });
    expect(await addressOf(person)).toBe(new_email);
  });

  test('does not work for a deactivated user', async () => {
    const person = await newPerson();
    const key = await newEmailKey(chat, person, newAddress());
    await chat.people.iago.client.users.deactivate({ user_id: person.user.id });
    expect(await confirm(key)).toMatchObject({ msg: NOT_VALID });
  });

  test('does not work after somebody else got the address', async () => {
    const person = await newPerson();
    const key = await newEmailKey(chat, person, newAddress());
    const { user } = await chat.addPerson('rival');
    await chat.people.desdemona.client.users.update({ user_id: user.id, new_email: newAddress() });
    expect(await confirm(key)).toMatchObject({ msg: `Email '${newAddress()}' already in use` });
  });
});

describe('the page that confirms an address', () => {
  test('changes nothing until its button is pressed', async () => {
    const person = await newPerson();
    const email = newAddress();
    const address = `${chat.url}/confirm_email/${await newEmailKey(chat, person, email)}`;
    const page = await fetch(address);
    const html = await page.text();
    expect([page.status, html]).toEqual([200, expect.stringContaining(email)]);
    expect(html).toContain('<button>Confirm</button>');
    expect(await addressOf(person)).toBe(person.email);
    const body = new URLSearchParams();
    const foreign = { method: 'POST', body, headers: { 'sec-fetch-site': 'cross-site' } };
    expect((await fetch(address, foreign)).status).toBe(403);
    const confirmed = await fetch(address, { method: 'POST', body });
    expect(await confirmed.text()).toContain(`Sign in with ${email} from now on.`);
    expect(await addressOf(person)).toBe(email);
    expect((await fetch(address)).status).toBe(404);
  });

  test('does not exist for an invented key', async () => {
    expect((await fetch(`${chat.url}/confirm_email/${'x'.repeat(32)}`)).status).toBe(404);
    expect((await fetch(`${chat.url}/confirm_email/`)).status).toBe(404);
  });
});
