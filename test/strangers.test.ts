import { recordStatements } from '@bellhop/postgres/testing';
import { startTestChat, type TestChat } from '@bellhop/server/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** Requests that an address may make without a login. */
const LIMIT = 20;
/** Look-ups of one address that may be running when it reaches its limit. */
const RUNNING = 10;

let chat: TestChat;
beforeAll(async () => {
  chat = await startTestChat({
    env: {
      BELLHOP_EXTERNAL_URL: 'http://chat.test',
      BELLHOP_BEHIND_PROXY: 'true',
      BELLHOP_RATE_LIMIT_IP: `${LIMIT}/60`,
    },
  });
});
afterAll(() => chat[Symbol.asyncDispose]());

let addresses = 0;
const newAddress = () => `203.0.113.${++addresses}`;

interface StrangerRequest {
  readonly address: string;
  readonly host?: string;
  readonly login?: { readonly email: string; readonly api_key: string };
}

async function get(path: string, { address, host = 'chat.test', login }: StrangerRequest) {
  const response = await fetch(chat.url + path, {
    headers: {
      'x-forwarded-for': address,
      'x-forwarded-host': host,
      ...(login ? { authorization: `Basic ${btoa(`${login.email}:${login.api_key}`)}` } : {}),
    },
  });
  await response.body?.cancel();
  return { status: response.status, retryAfter: response.headers.get('retry-after') };
}

const times = (count: number, work: (at: number) => Promise<{ status: number }>) =>
  Promise.all(Array.from({ length: count }, async (_, at) => (await work(at)).status));
const countOf = (statuses: readonly number[], status: number) =>
  statuses.filter((one) => one === status).length;

const keyOf = (at: number) => String(at).padStart(32, 'x');
const profile = '/api/v1/users/me';

test('made-up API keys query the database only up to the limit of their address', async () => {
  const { hamlet, iago } = chat.people;
  const address = newAddress();
  const guess = (at: number) =>
    get(profile, { address, login: { email: hamlet.email, api_key: keyOf(at) } });
  expect((await get(profile, { address, login: hamlet })).status).toBe(200);
  using statements = recordStatements();
  const statuses = await times(200, guess);
  expect(countOf(statuses, 401) + countOf(statuses, 429)).toBe(200);
  expect(countOf(statuses, 401)).toBeLessThanOrEqual(LIMIT);
  expect(statements.countOf('"u"."api_key_mac" =')).toBeLessThan(LIMIT + RUNNING);
  expect((await guess(1000)).retryAfter).not.toBeNull();
  expect((await get(profile, { address, login: hamlet })).status).toBe(200);
  expect((await get(profile, { address: newAddress(), login: iago })).status).toBe(200);
});

test('the right key of a person passes from an address that others have used up, also right after a restart', async () => {
  const { hamlet, iago, cordelia } = chat.people;
  const address = newAddress();
  // A node that has seen nobody yet.
  const restarted = await chat.anotherNode();
  const ask = async (login: { readonly email: string; readonly api_key: string }) =>
    (
      await fetch(`${restarted.url}${profile}`, {
        headers: {
          'x-forwarded-for': address,
          'x-forwarded-host': 'chat.test',
          authorization: `Basic ${btoa(`${login.email}:${login.api_key}`)}`,
        },
      })
    ).status;
  const wrong = async (count: number, name: (at: number) => string) => {
    for (let at = 0; at < count; at += 1) await ask({ email: name(at), api_key: keyOf(at) });
  };
  await wrong(LIMIT * 3, () => hamlet.email);
  expect(await ask({ email: hamlet.email, api_key: keyOf(7) })).toBe(429);
  for (const login of [hamlet, iago]) expect(await ask(login)).toBe(200);
  await wrong(LIMIT * 3, (at) => `stranger${at}@chat.test`);
  expect(await ask(cordelia)).toBe(200);
  expect(await ask({ email: cordelia.email, api_key: hamlet.api_key })).not.toBe(200);
});

test('names that nobody has query the database only up to the limit that the people of an address share', async () => {
  const address = newAddress();
  const guess = (at: number) =>
    get(profile, { address, login: { email: `nobody${at}@chat.test`, api_key: keyOf(at) } });
  await times(LIMIT * 2, guess);
  using statements = recordStatements();
  await times(LIMIT * 25, (at) => guess(at + 1_000));
  expect(statements.countOf('lower(delivery_email)')).toBeLessThanOrEqual(LIMIT * 20 + RUNNING);
});

test('unknown subdomains query the database only up to the limit of the address', async () => {
  const { hamlet } = chat.people;
  const address = newAddress();
  const ask = (at: number) =>
    get('/api/v1/server_settings', { address, host: `made-up-${at}.chat.test` });
  expect((await get(profile, { address, login: hamlet })).status).toBe(200);
  using statements = recordStatements();
  const statuses = await times(100, ask);
  expect(countOf(statuses, 404)).toBeLessThanOrEqual(LIMIT);
  expect(countOf(statuses, 404) + countOf(statuses, 429)).toBe(100);
  expect(statements.countOf('"subdomain" =')).toBeLessThan(LIMIT + RUNNING + 1);
  expect((await get(profile, { address, login: hamlet })).status).toBe(200);
});

test.each([
  ['guessed temporary addresses of uploads', (at: number) => `/user_uploads/temporary/${at}.9.x/a`],
  ['downloads of the OpenAPI document', () => '/api/openapi.json'],
  ['downloads of the API documentation', () => '/api/docs'],
  ['requests for unknown pages', (at: number) => `/nothing/${at}`],
])('%s are limited by address', async (_title, path) => {
  const address = newAddress();
  const statuses = await times(LIMIT * 2, (at) => get(path(at), { address }));
  expect(countOf(statuses, 429)).toBeGreaterThanOrEqual(LIMIT - RUNNING);
  expect((await get(path(0), { address })).status).toBe(429);
  expect((await get(path(0), { address: newAddress() })).status).not.toBe(429);
});

test('health checks are not limited, and concurrent ones share one query', async () => {
  const address = newAddress();
  using statements = recordStatements();
  const statuses = await times(100, () => get('/readyz', { address }));
  expect(countOf(statuses, 200)).toBe(100);
  expect(statements.countOf('pg_is_in_recovery')).toBeLessThan(100);
});
