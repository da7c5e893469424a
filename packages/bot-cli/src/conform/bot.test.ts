import type { RequestListener } from 'node:http';

import { createBot } from '@bellhop/bot';
import { listener } from '@bellhop/bot/node';
import { listen } from '@bellhop/http';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { main } from '../main.ts';
import { runMain } from '../run-main.fixture.ts';

let ends: AsyncDisposableStack;
beforeEach(() => {
  ends = new AsyncDisposableStack();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await ends.disposeAsync();
});

const email = 'echo-bot@chat.test';
const token = 'a'.repeat(32);
const as = ['--email', email, '--token', token, '--slow', '0.3', '--deadline', '10'];
async function at(bot: RequestListener): Promise<string> {
  const { url, server } = ends.use(await listen(bot, { requestTimeout: 180 }));
  // The short limit is for bodies: a busy machine may need longer between a connection and its headers.
  server.headersTimeout = 10_000;
  return url;
}

test('the probe of a sound bot prints a table without faults and exits with 0', async () => {
  const bot = createBot({ email, token }).fallback(() => 'hello');
  const { code, out } = await runMain(main, ['conform', 'bot', await at(listener([bot])), ...as]);
  expect(code).toBe(0);
  expect(out).toContain('\ngenuine deliveries\n  ok      a mention in a channel');
  expect(out).toMatch(/\d+ checks: \d+ ok, \d+ warnings, 0 faults\./);
});

test('the probe of a bot that checks no token prints faults with advice and exits with 1', async () => {
  const naive = await at((_request, response) => response.end('{"content":"hello"}'));
  const { code, out } = await runMain(main, ['conform', 'bot', naive, ...as]);
  expect(code).toBe(1);
  expect(out).toMatch(/fault {3}a wrong token +status 200/);
  expect(out).toContain('Anybody who knows the address can run the bot');
});

test('probe --json prints the findings alone, with credentials from the environment', async () => {
  vi.stubEnv('BOT_EMAIL', email);
  vi.stubEnv('BOT_TOKEN', token);
  const { code, out } = await runMain(main, ['conform', 'bot', 'http://127.0.0.1:1/', '--json']);
  expect(code).toBe(1);
  expect(JSON.parse(out)).toMatchObject([
    { severity: 'fault', happened: 'connection refused: nothing listens at 127.0.0.1:1' },
  ]);
});

test.each([
  [[], 'The url is missing.'],
  [['http://127.0.0.1:1/'], "Give the bot's --email"],
  [['ftp://127.0.0.1/', ...as], '"ftp://127.0.0.1/" is no url: write an HTTP address'],
  [
    ['http://127.0.0.1:1/', ...as.slice(0, 4), '--slow', 'long'],
    '"long" is no slow: write a number',
  ],
])('probe %j is a usage error', async (args, message) => {
  const { code, err } = await runMain(main, ['conform', 'bot', ...args]);
  expect(code).toBe(2);
  expect(err).toContain(message);
});
