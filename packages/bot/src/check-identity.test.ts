import { listen } from '@bellhop/http';
import { api, ApiError } from '@bellhop/protocol';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { checkIdentity } from './check-identity.ts';
import { createBot } from './create-bot.ts';
import { fakeChat, type FakeChat } from './rest/fake-chat.fixture.ts';

const email = 'echo-bot@chat.test';
const { verify } = api.botDeliveries;
const endpoint = { payload_url: 'http://127.0.0.1:8080/', state: 'working', reason: null };

let chat: FakeChat;
beforeAll(async () => {
  chat = await fakeChat();
});
afterAll(() => chat[Symbol.asyncDispose]());
beforeEach(() => chat.respond(verify, () => ({ token: 'current', endpoint })));

/** The problems found for a bot with these tokens that listens at `url`. */
const problems = ({
  tokens = ['genuine'],
  url = 'http://127.0.0.1:8080/',
  site = chat.url,
} = {}) => {
  const access = { url: site, apiKey: 'k' };
  const bot = createBot({ email, token: tokens, api: access });
  return checkIdentity({ bot, tokens, api: access, url });
};

test('a bot with the right key, token and address has no problems', async () => {
  expect(await problems()).toEqual([]);
  expect(await problems({ url: 'http://localhost:8080/' })).toEqual([]);
});

test('each unknown token of a bot is a problem, a token that is being replaced is not', async () => {
  chat.respond(verify, ({ token }) => ({ token: token === 'x' ? 'wrong' : 'old', endpoint }));
  expect(await problems({ tokens: ['genuine', 'x'] })).toEqual([
    expect.stringMatching(/^BOT_TOKEN: .* refuses its deliveries with 401/),
  ]);
});

test('a payload URL on this machine with another port is a problem, one behind a proxy is none', async () => {
  expect(await problems({ url: 'http://127.0.0.1:9090/' })).toEqual([
    'The payload URL of the bot user is http://127.0.0.1:8080/, but this bot listens on http://127.0.0.1:9090/: change one of them.',
  ]);
  const proxied = { ...endpoint, payload_url: 'https://bots.example.com/' };
  chat.respond(verify, () => ({ token: 'current', endpoint: proxied }));
  expect(await problems({ url: 'http://127.0.0.1:9090/' })).toEqual([]);
});

test('a disabled webhook is a problem, with its reason', async () => {
  const disabled = { ...endpoint, state: 'disabled', reason: 'Since yesterday.' };
  chat.respond(verify, () => ({ token: 'current', endpoint: disabled }));
  expect(await problems()).toEqual(['The webhook is disabled. Since yesterday.']);
});

test.each([
  ['UNAUTHORIZED', 401, /^BOT_API_KEY: the chat server refuses it: /],
  ['BAD_REQUEST', 400, /^BOT_EMAIL: This is not an outgoing webhook bot/],
] as const)('a refusal with %s names the variable that is wrong', async (code, status, words) => {
  chat.respond(verify, () => {
    throw new ApiError(code, { message: 'This is not an outgoing webhook bot.', status });
  });
  expect(await problems()).toEqual([expect.stringMatching(words)]);
});

test('a server without the identity check is no problem, an unreachable server is one', async () => {
  chat.respond(verify, () => {
    throw new ApiError('NOT_FOUND', { message: 'Not found' });
  });
  expect(await problems()).toEqual([]);
  // Other servers answer unknown routes with a page.
  await using elsewhere = await listen((_request, response) => {
    response.writeHead(404, { 'content-type': 'text/html' }).end('<html>Page not found</html>');
  });
  expect(await problems({ site: elsewhere.url })).toEqual([]);
  expect(await problems({ site: 'http://127.0.0.1:1' })).toEqual([
    'BOT_SITE: http://127.0.0.1:1 does not answer.',
  ]);
});
