import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startTestChat, type TestChat } from '../../test-chat.fixture.ts';

const PASSWORD = 'a long password 7';
let chat: TestChat;
beforeAll(async () => {
  chat = await startTestChat({ env: { BELLHOP_BEHIND_PROXY: 'true' } });
});
afterAll(() => chat[Symbol.asyncDispose]());

let people = 0;
/** A user with PASSWORD, against whom no attempt has been made. */
const newPerson = () => chat.addPerson(`person${++people}`, undefined, { password: PASSWORD });

interface Attempt {
  readonly username: string;
  readonly password: string;
  readonly address: string;
}

async function logIn({ username, password, address }: Attempt, url = chat.url) {
  const response = await fetch(`${url}/api/v1/fetch_api_key`, {
    method: 'POST',
    headers: { 'x-forwarded-for': address },
    body: new URLSearchParams({ username, password }),
  });
  const body = (await response.json()) as Record<string, unknown>;
  return { status: response.status, code: body['code'], body };
}

const [attacker, home] = ['203.0.113.1', '198.51.100.7'];

describe('wrong passwords', () => {
  test('of 90 parallel guesses 5 are checked, and the right password from another address logs in', async () => {
    const { email } = await newPerson();
    const guesses = await Promise.all(
      Array.from({ length: 90 }, (_, at) =>
        logIn({ username: email, password: `guess ${at}`, address: attacker }),
      ),
    );
    const codes = guesses.map(({ code }) => code);
    expect(codes.filter((code) => code === 'AUTHENTICATION_FAILED')).toHaveLength(5);
    expect(codes.filter((code) => code === 'RATE_LIMIT_HIT')).toHaveLength(85);
    expect(await logIn({ username: email, password: PASSWORD, address: attacker })).toMatchObject({
      status: 429,
      body: { 'retry-after': expect.any(Number) as number },
    });
    expect((await logIn({ username: email, password: PASSWORD, address: home })).status).toBe(200);
  });

  test('in another letter case count for the same user', async () => {
    const { email } = await newPerson();
    for (let at = 0; at < 5; at++)
      await logIn({ username: email.toUpperCase(), password: 'wrong', address: attacker });
    const right = { username: email, password: PASSWORD };
    expect((await logIn({ ...right, address: attacker })).status).toBe(429);
    expect((await logIn({ ...right, address: home })).status).toBe(200);
  });

  test.each([
    ['from many ports', (at: number) => `${attacker}:${40_000 + at}`],
    ['from an IPv6 network', (at: number) => `[2001:db8::${at + 1}]:443`],
    ['through a proxy that names no address', (at: number) => `unknown-${at}`],
  ])('%s count together', async (_how, addressOf) => {
    const { email } = await newPerson();
    const codes: unknown[] = [];
    for (let at = 0; at < 20; at++) {
      const { code } = await logIn({ username: email, password: 'wrong', address: addressOf(at) });
      codes.push(code);
    }
    expect(codes.filter((code) => code === 'AUTHENTICATION_FAILED')).toHaveLength(5);
  });

  test('are forgotten after the right one', async () => {
    const { email } = await newPerson();
    for (let round = 0; round < 3; round++) {
      for (let at = 0; at < 4; at++)
        await logIn({ username: email, password: 'wrong', address: home });
      const right = { username: email, password: PASSWORD, address: home };
      expect((await logIn(right)).status).toBe(200);
    }
  });

  test('are counted by each node for itself', async () => {
    const { email } = await newPerson();
    const { url } = await chat.anotherNode();
    const wrong = { username: email, password: 'wrong', address: attacker };
    for (let at = 0; at < 5; at++) await logIn(wrong);
    expect((await logIn(wrong)).status).toBe(429);
    expect((await logIn(wrong, url)).status).toBe(401);
  });
});

test.each([
  ['username', { username: `${'a'.repeat(320)}@chat.test`, password: PASSWORD }],
  ['password', { username: 'hamlet@chat.test', password: 'x'.repeat(1001) }],
])('a login with an overlong %s is refused', async (var_name, fields) => {
  const { body } = await logIn({ ...fields, address: home });
  expect(body).toMatchObject({ code: 'BAD_REQUEST', var_name });
});
