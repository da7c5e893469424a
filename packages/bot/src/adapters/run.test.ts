import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

import { mention } from '../example-payload.fixture.ts';
import { botOptions } from './run.ts';

test('everything that is missing is told at once, with where to find it', () => {
  expect(() => botOptions({})).toThrow(/BOT_EMAIL: .*\nBOT_TOKEN: /);
  const some = { BOT_EMAIL: 'echo-bot@chat.test', BOT_TOKEN: 'a' };
  expect(() => botOptions({ ...some, BOT_API_KEY: 'k' })).toThrow(/BOT_SITE: the address/);
  expect(() => botOptions({ ...some, BOT_SITE: 'chat', BOT_API_KEY: 'k' })).toThrow('chat is no');
});

test('one token or several, with or without the REST API', () => {
  const some = { BOT_EMAIL: ' echo-bot@chat.test ', BOT_TOKEN: 'old, new' };
  expect(botOptions(some)).toEqual({ email: 'echo-bot@chat.test', token: ['old', 'new'] });
  const all = { ...some, BOT_SITE: 'https://chat.test', BOT_API_KEY: 'k' };
  expect(botOptions(all)).toMatchObject({ api: { url: 'https://chat.test', apiKey: 'k' } });
});

const program = `
  import { createBot } from '@bellhop/bot';
  import { run } from '@bellhop/bot/node';
  await run((options) => createBot(options).fallback((ctx) => ctx.text));
`;

function start(environment: Record<string, string>) {
  const cwd = fileURLToPath(new URL('../..', import.meta.url));
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    cwd,
    env: { PATH: process.env['PATH'], PORT: '0', ...environment },
  });
  const written = { out: '', err: '' };
  child.stdout.on('data', (data) => (written.out += data));
  child.stderr.on('data', (data) => (written.err += data));
  return { child, written };
}

test('a program of one line is a bot, until it is told to stop', async () => {
  const { child, written } = start({ BOT_EMAIL: 'echo-bot@chat.test', BOT_TOKEN: 'genuine' });
  await expect.poll(() => written.out, { timeout: 20_000 }).toContain('listens on http');
  const url = /http\S+/.exec(written.out)?.[0] ?? '';
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify(mention('hi')) });
  expect(await answer.json()).toEqual({ content: 'hi' });
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([null, 'SIGTERM']);
});

test('a program without its variables ends, and says which', async () => {
  const { child, written } = start({});
  expect(await once(child, 'exit')).toEqual([1, null]);
  expect(written.err).toContain('BOT_EMAIL: the e-mail address of the bot user');
});
