import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { runQueuedJobs } from '../../run-queued-jobs.fixture.ts';
import { type Person, startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { newResetKey, resetKeyIn } from './new-reset-key.fixture.ts';

const FORMER = 'the former password 1';
const NEW = 'the new password 2';
const SUCCESS = { result: 'success', msg: '' };
const NOT_VALID = {
  code: 'BAD_REQUEST',
  msg: 'This link is not valid: it has expired, was used before, or a newer one was sent. Ask for another.',
};

let chat: TestChat;
let now = Math.floor(Date.now() / 1000);
beforeAll(async () => {
  chat = await startTestChat({ now: () => now });
});
afterAll(() => chat[Symbol.asyncDispose]());

let people = 0;
const newPerson = () => chat.addPerson(`ofelia${++people}`, undefined, { password: FORMER });
const body = async (...args: Parameters<TestChat['ask']>) => (await chat.ask(...args)).body;
const request = (email: string) => body(null, 'POST /password_resets/request', { email });
const confirm = (key: string, new_password = NEW) =>
  body(null, 'POST /password_resets/confirm', { key, new_password });
const send = (by: Person, { user }: Person) =>
  body(by, `POST /users/${user.id}/password_reset`, {});
const logIn = ({ email }: Person, password: string) =>
  body(null, 'POST /fetch_api_key', { username: email, password });
const mailsTo = (email: string) => chat.mails.filter(({ to }) => to === email);
/** The subjects of the mails to an address, when the jobs are done that write them. */
async function subjectsTo(email: string) {
  for (const name of ['mail_forgetful', 'send_mail']) await runQueuedJobs(chat, name);
  return mailsTo(email).map(({ subject }) => subject);
}

describe('somebody who does not know their password', () => {
  test('gets a link by mail, chooses a new one with it once, and gets a mail that says so', async () => {
    const person = await newPerson();
    const key = await newResetKey(chat, person.email);
    expect(await confirm(key)).toMatchObject({ user_id: person.user.id, email: person.email });
    expect(await logIn(person, FORMER)).toMatchObject({ code: 'AUTHENTICATION_FAILED' });
    expect(await logIn(person, NEW)).toMatchObject({ email: person.email });
    expect(await confirm(key, 'yet another password 3')).toMatchObject(NOT_VALID);
    expect(await subjectsTo(person.email)).toEqual([
      'Choose a new password for Test',
      'Your password at Test has changed',
    ]);
  });

  test('chooses one only once with two requests at the same time', async () => {
    const key = await newResetKey(chat, (await newPerson()).email);
    const answers = await Promise.all([confirm(key), confirm(key)]);
    expect(answers.map(({ result }) => String(result)).toSorted()).toEqual(['error', 'success']);
  });

  test('ends all their logins: console, API key and event queues', async () => {
    const person = await newPerson();
    const { queue_id } = await person.client.queues.register({});
    const signIn = await fetch(`${chat.url}/api/v1/console/session`, {
      method: 'POST',
      headers: { 'bellhop-console': 'none' },
      body: new URLSearchParams({ username: person.email, password: FORMER }),
    });
    const { console_key } = (await signIn.json()) as { console_key: string };
    const ofConsole = () =>
      fetch(`${chat.url}/api/v1/users/me`, {
        headers: {
          cookie: signIn.headers.getSetCookie()[0]?.replace(/;.*/, '') ?? '',
          'bellhop-console': console_key,
        },
      });
    expect((await ofConsole()).status).toBe(200);
    await confirm(await newResetKey(chat, person.email));
    expect((await ofConsole()).status).toBe(401);
    expect((await chat.ask(person, 'GET /users/me')).status).toBe(401);
    const again = { ...person, api_key: String((await logIn(person, NEW))['api_key']) };
    const poll = { queue_id: queue_id ?? '', last_event_id: '-1', dont_block: 'true' };
    expect(await body(again, 'GET /events', poll)).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
  });

  test('is let in after the guesses that they made before', async () => {
    const person = await newPerson();
    for (let guess = 0; guess < 5; guess++) await logIn(person, `guess ${guess}`);
    expect(await logIn(person, FORMER)).toMatchObject({ code: 'RATE_LIMIT_HIT' });
    await confirm(await newResetKey(chat, person.email));
    expect(await logIn(person, NEW)).toMatchObject({ email: person.email });
  });

  test('keeps link and password if the new one is too weak, as at the registration', async () => {
    const person = await newPerson();
    const key = await newResetKey(chat, person.email);
    for (const weak of ['short', 'password1', 'x'.repeat(101)])
      expect(await confirm(key, weak)).toMatchObject({ code: 'BAD_REQUEST' });
    expect(await confirm(key, 'password1')).toMatchObject({ msg: 'The password is too weak.' });
    expect(await logIn(person, FORMER)).toMatchObject({ email: person.email });
    expect(await confirm(key)).toMatchObject(SUCCESS);
  });
});

describe('a link', () => {
  const ends: Record<string, (person: Person) => Promise<unknown>> = {
    'a newer one': async ({ email }) => {
      await request(email);
      await subjectsTo(email);
    },
    'a day': async () => (now += 86_400),
    'another password': ({ client }) =>
      client.settings.update({ old_password: FORMER, new_password: 'a changed password 4' }),
    'another address': ({ user }) =>
      chat.people.desdemona.client.users.update({
        user_id: user.id,
        new_email: `moved${people}@chat.test`,
      }),
    'a deactivation, also one that is undone': async ({ user: { id: user_id } }) => {
      await chat.people.iago.client.users.deactivate({ user_id });
      await chat.people.iago.client.users.reactivate({ user_id });
    },
  };
  test.each(Object.entries(ends))('is not valid any more after %s', async (_what, end) => {
    const person = await newPerson();
    const key = await newResetKey(chat, person.email);
    await end(person);
    expect(await confirm(key)).toMatchObject(NOT_VALID);
  });

  test('holds until the day is over', async () => {
    const person = await newPerson();
    const key = await newResetKey(chat, person.email);
    now += 86_399;
    expect(await confirm(key)).toMatchObject(SUCCESS);
  });

  test('appears neither in the log nor, readable, in the database', async () => {
    const { email } = await newPerson();
    const key = await newResetKey(chat, email);
    await confirm(key);
    expect(chat.logged()).not.toContain(key);
    const { rows } = await sql<{ payload: string }>`select payload::text from job
      where name in ('mail_forgetful', 'send_mail')`.execute(chat.server.app.db.kysely);
    expect(rows.length).toBeGreaterThan(2);
    for (const { payload } of rows) {
      expect(payload).not.toContain(key);
      expect(payload).not.toContain(email);
    }
  });
});

describe('the answer', () => {
  test('is the same for an account, a deactivated one, a bot and a stranger; only mails differ', async () => {
    const person = await newPerson();
    const left = await newPerson();
    await chat.people.iago.client.users.deactivate({ user_id: left.user.id });
    const bot = await person.client.bots.create({ full_name: 'Bot', short_name: 'forgetful' });
    const { email: botEmail } = (await person.client.users.get({ user_id: bot.user_id })).user;
    const addresses = [person.email.toUpperCase(), left.email, botEmail, 'nobody@example.com'];
    for (const email of addresses) expect(await request(email)).toEqual(SUCCESS);
    expect(await subjectsTo(person.email)).toEqual(['Choose a new password for Test']);
    expect(await subjectsTo(left.email)).toEqual(['Your account at Test']);
    expect(mailsTo(left.email)[0]?.text).toContain('The account was deactivated');
    expect(mailsTo(left.email)[0]?.text).not.toContain('/reset_password/');
    expect(await subjectsTo(botEmail)).toEqual([]);
    expect(await subjectsTo('nobody@example.com')).toEqual([]);
  });

  test('is given without a look at the accounts, so that its time tells nothing', async () => {
    const { email } = await newPerson();
    await using other = await chat.openDatabase();
    await other.transaction(async (tx) => {
      await sql`lock table realm_user in access exclusive mode`.execute(tx);
      for (const address of [email, 'nobody6@example.com'])
        expect(await request(address)).toEqual(SUCCESS);
    });
    expect(await subjectsTo(email)).toEqual(['Choose a new password for Test']);
  });

  test('is a refusal after five mails to an address on a day, with an account or without', async () => {
    const { email } = await newPerson();
    for (const address of [email, 'nobody5@example.com']) {
      for (let mail = 0; mail < 5; mail++) expect(await request(address)).toEqual(SUCCESS);
      expect(await request(address)).toMatchObject({ code: 'RATE_LIMIT_HIT' });
    }
    now += 86_400;
    expect(await request(email)).toEqual(SUCCESS);
  });

  test('is a refusal after too many requests of one client on a day', async () => {
    await using limited = await startTestChat({ env: { BELLHOP_DAILY_MAILS_IP: '2' } });
    const ask = (email: string) => limited.ask(null, 'POST /password_resets/request', { email });
    expect((await ask('a@example.com')).status).toBe(200);
    expect((await ask('b@example.com')).status).toBe(200);
    expect((await ask('c@example.com')).body).toMatchObject({ code: 'RATE_LIMIT_HIT' });
  });

  test.each(['', 'nobody', 'a@b@c'])('names %j as no address', async (email) => {
    expect(await request(email)).toMatchObject({ code: 'BAD_REQUEST' });
  });
});

describe('an administrator', () => {
  test('sends somebody a link, which goes to their address only, and the log says who did it', async () => {
    const { iago } = chat.people;
    const person = await newPerson();
    expect(await send(iago, person)).toEqual(SUCCESS);
    const key = await resetKeyIn(chat, person.email);
    expect(mailsTo(person.email)[0]?.text).toContain(
      `${iago.user.full_name}, who administers Test`,
    );
    expect(await logIn(person, FORMER)).toMatchObject({ email: person.email });
    expect(await confirm(key)).toMatchObject(SUCCESS);
    const entries = chat
      .logged()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { user_id?: number; by?: number; msg: string })
      .filter(({ user_id }) => user_id === person.user.id);
    expect(entries).toMatchObject([
      { by: iago.user.id, msg: 'an administrator sent a link to choose a new password' },
      { msg: 'a password was reset by a link' },
    ]);
  });

  test('sends none to a bot or a deactivated account; others send none at all', async () => {
    const { iago, hamlet, shiva } = chat.people;
    const person = await newPerson();
    for (const other of [hamlet, shiva])
      expect(await send(other, person)).toMatchObject({ result: 'error' });
    const bot = await person.client.bots.create({ full_name: 'Bot 2', short_name: 'forgetful2' });
    expect(await body(iago, `POST /users/${bot.user_id}/password_reset`, {})).toMatchObject({
      msg: 'No such user',
    });
    await iago.client.users.deactivate({ user_id: person.user.id });
    expect(await send(iago, person)).toMatchObject({
      msg: 'The account is deactivated: reactivate it before you send a link.',
    });
    expect(await subjectsTo(person.email)).toEqual([]);
  });
});

describe('the pages', () => {
  const post = (path: string, fields: Record<string, string>, headers = {}) =>
    fetch(chat.url + path, { method: 'POST', headers, body: new URLSearchParams(fields) });
  const FORGOT = '/accounts/password/reset/';

  test('ask for the address and then for the password, and opening a link uses it not up', async () => {
    const person = await newPerson();
    const forgot = await (await fetch(chat.url + FORGOT)).text();
    expect(forgot).toContain('<h1>Forgot your password?</h1>');
    expect(forgot).toContain('name="email" type="email"');
    const [known, unknown] = await Promise.all(
      [person.email, 'nobody7@example.com'].map(async (email) => {
        const response = await post(FORGOT, { email });
        return [response.status, (await response.text()).replaceAll(email, 'ADDRESS')];
      }),
    );
    expect(known).toEqual(unknown);
    expect(known).toEqual([200, expect.stringContaining('If ADDRESS has an account at Test')]);
    const path = `/reset_password/${await resetKeyIn(chat, person.email)}`;
    await fetch(chat.url + path);
    const page = await (await fetch(chat.url + path)).text();
    expect(page).toContain(`readonly value="${person.email}"`);
    expect(page).toContain('autocomplete="new-password" minlength="6" maxlength="100"');
    const weak = await post(path, { password: 'password1' });
    const problem = await weak.text();
    expect([weak.status, problem]).toEqual([
      400,
      expect.stringContaining('role="alert">The password is too weak.'),
    ]);
    expect(problem).not.toContain('password1');
    expect((await post(path, { password: NEW }, { 'sec-fetch-site': 'cross-site' })).status).toBe(
      403,
    );
    const done = await post(path, { password: NEW });
    expect([done.status, await done.text()]).toEqual([
      200,
      expect.stringContaining(`Sign in again as ${person.email}`),
    ]);
    const again = await fetch(chat.url + path);
    expect([again.status, await again.text()]).toEqual([404, expect.stringContaining(FORGOT)]);
  });

  test('limit the guesses of an address, and log no key', async () => {
    await using limited = await startTestChat({ env: { BELLHOP_RATE_LIMIT_IP: '10/60' } });
    const statuses: number[] = [];
    for (let guess = 0; guess < 12; guess++)
      statuses.push((await fetch(`${limited.url}/reset_password/${'x'.repeat(32)}`)).status);
    expect([statuses[0], statuses.at(-1)]).toEqual([404, 429]);
    expect(limited.logged()).not.toContain('xxxx');
  });
});
