import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createSignInKey } from '../../model/console-sessions/sign-in-key.ts';
import { startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { newSignInKey } from './contract.fixture.ts';

const PASSWORD = 'a long password 7';
let chat: TestChat;
let now = Math.floor(Date.now() / 1000);
beforeAll(async () => {
  chat = await startTestChat({ now: () => now });
});
afterAll(() => chat[Symbol.asyncDispose]());

let people = 0;
const newPerson = () => chat.addPerson(`guest${++people}`, undefined, { password: PASSWORD });

interface ConsoleCall {
  readonly method?: string;
  readonly fields?: Record<string, string>;
  readonly headers?: Record<string, string>;
}

async function call(path: string, { method = 'GET', fields, headers = {} }: ConsoleCall = {}) {
  const response = await fetch(`${chat.url}/api/v1${path}`, {
    method,
    headers: { 'bellhop-console': 'none', ...headers },
    ...(fields ? { body: new URLSearchParams(fields) } : {}),
  });
  const [set = ''] = response.headers.getSetCookie();
  const body = (await response.json()) as Record<string, unknown>;
  return { status: response.status, set, cookie: set.replace(/;.*/, ''), body };
}

const signIn = (username: string, headers: Record<string, string> = {}) =>
  call('/console/session', { method: 'POST', fields: { username, password: PASSWORD }, headers });

/** The headers of a page that has signed in as a new person. */
async function signedIn() {
  const person = await newPerson();
  const { body, cookie } = await signIn(person.email);
  return { person, headers: { cookie, 'bellhop-console': String(body['console_key']) } };
}

describe('a console session', () => {
  test('acts as its user only with both halves', async () => {
    const { person, headers } = await signedIn();
    expect((await call('/users/me', { headers })).body).toMatchObject({ user_id: person.user.id });
    for (const half of [
      { cookie: headers.cookie },
      { 'bellhop-console': headers['bellhop-console'] },
      { ...headers, cookie: headers.cookie.replace(/.$/, '_') },
    ])
      expect(await call('/users/me', { headers: half })).toMatchObject({
        status: 401,
        body: { code: 'UNAUTHORIZED' },
      });
  });

  test('works from an address that others have used up, and a made-up one does not', async () => {
    await using strict = await startTestChat({ env: { BELLHOP_RATE_LIMIT_IP: '5/60' } });
    const { email } = await strict.addPerson('office', undefined, { password: PASSWORD });
    const ask = (path: string, init: RequestInit) => fetch(`${strict.url}/api/v1${path}`, init);
    const login = await ask('/console/session', {
      method: 'POST',
      headers: { 'bellhop-console': 'none' },
      body: new URLSearchParams({ username: email, password: PASSWORD }),
    });
    const { console_key } = (await login.json()) as { console_key: string };
    const cookie = (login.headers.getSetCookie()[0] ?? '').replace(/;.*/, '');
    const headers = { cookie, 'bellhop-console': console_key };
    for (let at = 0; at < 10; at++) await ask('/server_settings', {});
    expect((await ask('/server_settings', {})).status).toBe(429);
    expect((await ask('/users/me', { headers })).status).toBe(200);
    const madeUp = { ...headers, cookie: cookie.replace(/.$/, '_') };
    expect((await ask('/users/me', { headers: madeUp })).status).not.toBe(200);
  });

  test('has a cookie out of reach of scripts and of other sites', async () => {
    const { email } = await newPerson();
    const { set } = await signIn(email);
    const port = new URL(chat.url).port;
    expect(set).toMatch(new RegExp(`^bellhop-${port}=\\w{32}; Path=/; Max-Age=2592000; `));
    expect(set).toContain('HttpOnly; SameSite=Strict');
  });

  test('holds several accounts, and a header chooses one', async () => {
    const { person, headers } = await signedIn();
    const second = await newPerson();
    const joined = await signIn(second.email, headers);
    expect(joined.body).toMatchObject({
      console_key: null,
      accounts: [{ user_id: person.user.id }, { user_id: second.user.id }],
    });
    const as = { ...headers, 'bellhop-account': String(second.user.id) };
    expect((await call('/users/me', { headers: as })).body).toMatchObject({
      user_id: second.user.id,
    });
    const stranger = { ...headers, 'bellhop-account': String(chat.people.iago.user.id) };
    expect((await call('/users/me', { headers: stranger })).status).toBe(401);
  });

  test('ends when its user is deactivated, as do links that sign in and the API key: a reactivation brings none back', async () => {
    const { iago } = chat.people;
    const { person, headers } = await signedIn();
    const { id: user_id, realm_id } = person.user;
    const key = await chat.server.app.db.transaction((tx) =>
      createSignInKey(tx, [{ realm_id, id: user_id }], now),
    );
    await iago.client.users.deactivate({ user_id });
    expect((await call('/users/me', { headers })).status).toBe(401);
    await iago.client.users.reactivate({ user_id });
    expect((await call('/users/me', { headers })).status).toBe(401);
    const redeemed = await call('/console/session/redeem', { method: 'POST', fields: { key } });
    expect(redeemed.status).toBeGreaterThanOrEqual(400);
    expect((await chat.ask(person, 'GET /users/me')).status).toBe(401);
    expect((await signIn(person.email)).status).toBe(200);
  });

  test('ends after 30 days', async () => {
    const { headers } = await signedIn();
    now += 30 * 86_400 - 1;
    expect((await call('/users/me', { headers })).status).toBe(200);
    now += 1;
    expect((await call('/users/me', { headers })).status).toBe(401);
  });

  test('loses an account that signs out, and the others stay', async () => {
    const { person, headers } = await signedIn();
    const second = await newPerson();
    await signIn(second.email, headers);
    const fields = { user_id: String(person.user.id) };
    const left = await call('/console/session', { method: 'DELETE', fields, headers });
    expect(left.body['accounts']).toMatchObject([{ user_id: second.user.id }]);
    expect((await call('/users/me', { headers })).body).toMatchObject({ user_id: second.user.id });
    const none = await call('/console/session', { method: 'DELETE', headers });
    expect([none.body['accounts'], none.set]).toEqual([[], expect.stringContaining('Max-Age=0')]);
    expect((await call('/users/me', { headers })).status).toBe(401);
  });

  test('loses an account that gets a new API key', async () => {
    const { person, headers } = await signedIn();
    await person.client.accounts.regenerateApiKey();
    expect((await call('/users/me', { headers })).status).toBe(401);
  });

  test('loses an account that changes its password', async () => {
    const { person, headers } = await signedIn();
    const new_password = 'quite another long password';
    await person.client.settings.update({ old_password: PASSWORD, new_password });
    expect((await call('/users/me', { headers })).status).toBe(401);
  });

  test('takes at most ten accounts', async () => {
    const { headers } = await signedIn();
    for (let at = 1; at < 10; at++)
      expect((await signIn((await newPerson()).email, headers)).status).toBe(200);
    const refused = await signIn((await newPerson()).email, headers);
    expect(refused.body).toMatchObject({ code: 'BAD_REQUEST' });
  });
});

describe('a page', () => {
  test.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another port of this host', { 'sec-fetch-site': 'same-site' }],
    ['another origin', { origin: 'http://localhost:1' }],
  ])('of %s can neither use a session nor sign in', async (_name, sent) => {
    const { person, headers } = await signedIn();
    const refused = { status: 403, body: { code: 'CSRF_FAILED' } };
    expect(await call('/users/me', { headers: { ...headers, ...sent } })).toMatchObject(refused);
    expect(await signIn(person.email, sent)).toMatchObject(refused);
  });
});

describe('the key of a link', () => {
  test('signs in once', async () => {
    const key = await newSignInKey(chat);
    const redeem = () => call('/console/session/redeem', { method: 'POST', fields: { key } });
    const first = await redeem();
    expect(first.body).toMatchObject({ accounts: [{ email: 'hamlet@chat.test' }] });
    const headers = { cookie: first.cookie, 'bellhop-console': String(first.body['console_key']) };
    expect((await call('/users/me', { headers })).status).toBe(200);
    expect((await redeem()).body).toMatchObject({ code: 'AUTHENTICATION_FAILED' });
  });

  test('works for a day', async () => {
    const { app } = chat.server;
    const key = await app.change(chat.realm, ({ db }) =>
      createSignInKey(db, [chat.people.iago.user], now - 86_400),
    );
    const late = await call('/console/session/redeem', { method: 'POST', fields: { key } });
    expect(late.body).toMatchObject({ code: 'AUTHENTICATION_FAILED' });
  });
});

test('a DNS name that points to this machine cannot use the console', async () => {
  const { headers } = await signedIn();
  const { request } = await import('node:http');
  const status = await new Promise((resolve) => {
    const url = new URL(`${chat.url}/api/v1/users/me`);
    const sent = { ...headers, host: `rebound.example:${url.port}` };
    request(url, { headers: sent }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).end();
  });
  expect(status).toBe(403);
});
