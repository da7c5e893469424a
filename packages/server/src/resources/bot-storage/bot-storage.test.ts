import { createClient } from '@bellhop/client';
import { MAX_BOT_STORAGE } from '@bellhop/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { type Person, startTestChat, type TestChat } from '../../test-chat.fixture.ts';

let chat: TestChat;
let made = 0;
beforeAll(async () => {
  chat = await startTestChat();
});
afterAll(() => chat[Symbol.asyncDispose]());

/** Adds a bot with an empty storage. */
async function newBot(bot_type: 1 | 2 = 1): Promise<Person> {
  const short_name = `keeper-${++made}`;
  const { hamlet } = chat.people;
  const { api_key, user_id } = await hamlet.client.bots.create({
    full_name: short_name,
    short_name,
    bot_type,
  });
  const email = `${short_name}-bot@chat.test`;
  const client = createClient({ url: chat.url, email, apiKey: api_key });
  return { user: { ...hamlet.user, id: user_id }, email, api_key, client };
}
const missing = { code: 'BAD_REQUEST', message: 'Key does not exist.' };

test('a bot reads its stored values, all or by key', async () => {
  const { client } = await newBot();
  const { botStorage } = client;
  expect(await botStorage.get()).toEqual({ storage: {} });
  await botStorage.put({ storage: { a: '1', b: 'ü 🎲\n', '': 'no name' } });
  await botStorage.put({ storage: { a: '2' } });
  await botStorage.put({ storage: {} });
  expect(await botStorage.get()).toEqual({ storage: { '': 'no name', a: '2', b: 'ü 🎲\n' } });
  expect(await botStorage.get({ keys: ['a', 'a'] })).toEqual({ storage: { a: '2' } });
  expect(await botStorage.get({ keys: [] })).toEqual({ storage: {} });
  expect(await botStorage.get({ keys: null })).toMatchObject({ storage: { a: '2' } });
});

test('a missing key is rejected, and nothing is removed', async () => {
  const { client } = await newBot();
  const { botStorage } = client;
  await botStorage.put({ storage: { a: '1', b: '2', c: '3' } });
  await expect(botStorage.get({ keys: ['a', 'x'] })).rejects.toMatchObject(missing);
  await expect(botStorage.remove({ keys: ['a', 'x'] })).rejects.toMatchObject(missing);
  await botStorage.remove({ keys: ['a', 'a'] });
  expect(await botStorage.get()).toEqual({ storage: { b: '2', c: '3' } });
  await expect(botStorage.remove({ keys: ['a'] })).rejects.toMatchObject(missing);
  await botStorage.remove();
  expect(await botStorage.get()).toEqual({ storage: {} });
});

test('the key __proto__ is refused, and nothing of the request is stored', async () => {
  const { client } = await newBot();
  const { botStorage } = client;
  const storage = { a: '1', ['__proto__']: '2' };
  await expect(botStorage.put({ storage })).rejects.toMatchObject({
    message: 'storage must not contain the key __proto__',
  });
  expect(await botStorage.get()).toEqual({ storage: {} });
  await botStorage.put({ storage: { a: '__proto__', constructor: 'b' } });
  expect(await botStorage.get()).toEqual({ storage: { a: '__proto__', constructor: 'b' } });
});

test('every bot has a storage of its own', async () => {
  const [one, other] = [await newBot(), await newBot()];
  await one.client.botStorage.put({ storage: { a: 'one' } });
  await other.client.botStorage.put({ storage: { a: 'other', b: 'b' } });
  await other.client.botStorage.remove();
  expect(await one.client.botStorage.get()).toEqual({ storage: { a: 'one' } });
});

test('a call that exceeds the limit stores nothing, also among concurrent calls', async () => {
  const bot = await newBot();
  const { botStorage } = bot.client;
  const most = 900_000;
  const fits = Math.floor(MAX_BOT_STORAGE / most);
  const calls = Array.from({ length: fits + 1 }, (_, at) =>
    botStorage.put({ storage: { [String.fromCodePoint(97 + at)]: 'x'.repeat(most - 1) } }),
  );
  const refused = (await Promise.allSettled(calls)).filter(({ status }) => status === 'rejected');
  expect(refused).toMatchObject([
    { reason: { code: 'BAD_REQUEST', message: /exceeds storage limit by \d+ characters/ } },
  ]);
  const rest = MAX_BOT_STORAGE - fits * most;
  await botStorage.put({ storage: { z: 'x'.repeat(rest - 1) } });
  await expect(botStorage.put({ storage: { y: '' } })).rejects.toMatchObject({
    message: `Request exceeds storage limit by 1 characters. The limit is ${MAX_BOT_STORAGE} characters.`,
  });
  await expect(botStorage.get({ keys: ['y'] })).rejects.toMatchObject(missing);
  await botStorage.put({ storage: { z: '' } });
  expect((await botStorage.get({ keys: ['z'] })).storage).toEqual({ z: '' });
});

test.each([
  ['a number as value', { storage: '{"a":1}' }, 'BAD_REQUEST', /storage/],
  ['a list', { storage: '["a"]' }, 'BAD_REQUEST', /storage/],
  ['no JSON', { storage: 'a' }, 'BAD_REQUEST', /storage is not valid JSON/],
  ['nothing', {}, 'REQUEST_VARIABLE_MISSING', /storage/],
  ['a null byte', { storage: '{"a":"\\u0000"}' }, 'BAD_REQUEST', /null bytes/],
  ['half a character', { storage: '{"\\ud83d":"","\\ud83c":""}' }, 'BAD_REQUEST', /surrogates/],
  ['a long key', { storage: JSON.stringify({ ['x'.repeat(501)]: '' }) }, 'BAD_REQUEST', /500/],
  [
    'a huge value',
    { storage: JSON.stringify({ a: 'x'.repeat(1_100_000) }) },
    'PAYLOAD_TOO_LARGE',
    /larger/,
  ],
])('storing %s is rejected', async (_case, fields, code, message) => {
  const { status, body } = await chat.ask(await newBot(), 'PUT /bot_storage', fields as {});
  expect(status).toBeGreaterThanOrEqual(400);
  expect(body).toMatchObject({ result: 'error', code, msg: expect.stringMatching(message) });
});

test('a person has a storage of their own, as the authors of the public bots use it with their keys', async () => {
  const { hamlet, cordelia, polonius } = chat.people;
  for (const { client } of [hamlet, polonius]) {
    await client.botStorage.put({ storage: { mine: client === hamlet.client ? '1' : '2' } });
    await expect(client.botStorage.get({ keys: ['other'] })).rejects.toMatchObject(missing);
  }
  expect(await hamlet.client.botStorage.get()).toEqual({ storage: { mine: '1' } });
  expect(await cordelia.client.botStorage.get()).toEqual({ storage: {} });
  await hamlet.client.botStorage.remove({ keys: ['mine'] });
  expect(await hamlet.client.botStorage.get()).toEqual({ storage: {} });
});

test('an incoming webhook may not use the storage', async () => {
  const webhook = await newBot(2);
  for (const route of ['PUT', 'GET', 'DELETE'].map((method) => `${method} /bot_storage`)) {
    expect((await chat.ask(webhook, route, { storage: '{}' })).status).toBe(401);
  }
});
