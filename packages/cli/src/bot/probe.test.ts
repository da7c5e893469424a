import type { RequestListener } from 'node:http';
import { stripVTControlCharacters } from 'node:util';

import { createBot } from '@bellhop/bot';
import { listener } from '@bellhop/bot/node';
import { listen } from '@bellhop/http';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { main } from '../bellhop.ts';

let ends: AsyncDisposableStack;
let printed: string[] = [];
let complained: string[] = [];
beforeEach(() => {
  ends = new AsyncDisposableStack();
  printed = [];
  complained = [];
  const keep = (lines: string[]) => (line: unknown) =>
    void lines.push(stripVTControlCharacters(String(line)));
  vi.spyOn(console, 'log').mockImplementation(keep(printed));
  vi.spyOn(console, 'error').mockImplementation(keep(complained));
});
afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  await ends.disposeAsync();
});

const email = 'echo-bot@chat.test';
const token = 'a'.repeat(32);
const as = ['--email', email, '--token', token, '--slow', '0.3', '--deadline', '1'];
const at = async (bot: RequestListener) => ends.use(await listen(bot, { requestTimeout: 180 })).url;

test('a good bot: a table without faults, and exit code 0', async () => {
  const bot = createBot({ email, token }).fallback(() => 'hello');
  expect(await main(['bot', 'probe', await at(listener([bot])), ...as])).toBe(0);
  const table = printed.join('\n');
  expect(table).toContain('\ngenuine deliveries\n  ok      a mention in a channel');
  expect(table).toMatch(/\d+ checks: \d+ ok, \d+ warnings, 0 faults\./);
});

test('a bot that trusts everybody: faults with their cures, and exit code 1', async () => {
  const naive = await at((_request, response) => response.end('{"content":"hello"}'));
  expect(await main(['bot', 'probe', naive, ...as])).toBe(1);
  const table = printed.join('\n');
  expect(table).toMatch(/fault {3}a wrong token +status 200/);
  expect(table).toContain('Anybody who knows the address can run the bot');
});

test('JSON is the findings and nothing else; credentials may come from the environment', async () => {
  vi.stubEnv('BOT_EMAIL', email);
  vi.stubEnv('BOT_TOKEN', token);
  expect(await main(['bot', 'probe', 'http://127.0.0.1:1/', '--json'])).toBe(1);
  expect(JSON.parse(printed.join('\n'))).toMatchObject([
    { verdict: 'fault', happened: 'no answer at all' },
  ]);
});

test.each([
  [[], 'Give one address'],
  [['http://127.0.0.1:1/'], "Give the bot's --email"],
  [['ftp://127.0.0.1/', ...as], 'is no HTTP address'],
  [['http://127.0.0.1:1/', ...as, '--slow', 'long'], '--slow takes a number of seconds'],
])('%j is refused with what would be right', async (args, message) => {
  expect(await main(['bot', 'probe', ...args])).toBe(1);
  expect(complained.join('\n')).toContain(message);
});
