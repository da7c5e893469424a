import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { fakeServer } from '@bellhop/fake-server';
import { expect, onTestFinished, test } from 'vitest';

import { pageText } from '../docs/examples-in.ts';
import { stepsIn } from '../docs/run-steps.ts';
import { root } from '../support/source-files.ts';

test('the commands and the bot of docs/bots/chat-sdk.md work in an empty folder', async () => {
  const page = pageText('docs/bots/chat-sdk.md');
  const [{ command: install } = { command: '' }, { command: run } = { command: '' }, ...others] =
    stepsIn(page);
  expect(others).toEqual([]);
  const [, source = ''] = /^```ts\n(\/\/ bot\.ts\n[\s\S]*?)^```$/m.exec(page) ?? [];
  await using temporary = await mkdtempDisposable(join(tmpdir(), 'bellhop-chat-sdk-'));
  const folder = temporary.path;
  // The folder of the page, and packages from the cache of npm where it has them.
  const commands = install.replaceAll('../my-bot', folder);
  const env = { ...process.env, npm_config_prefer_offline: 'true' };
  await promisify(execFile)('bash', ['-euc', commands], { cwd: root, env });
  await writeFile(join(folder, 'bot.ts'), source);

  const server = await fakeServer();
  onTestFinished(() => server.stop());
  const ada = server.addUser('Ada');
  const helper = server.addBot({ name: 'Helper' });
  const { email, apiKey, token } = helper;
  const login = { BOT_SITE: server.url, BOT_EMAIL: email, BOT_API_KEY: apiKey, BOT_TOKEN: token };
  const lines = Object.entries(login).map(([name, value]) => `${name}=${value}\n`);
  await writeFile(join(folder, '.env'), lines.join(''));
  const child = spawn('bash', ['-c', run.replace('node ', `exec "${process.execPath}" `)], {
    cwd: folder,
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exited = once(child, 'exit');
  try {
    await expect.poll(() => server.waitingPolls(), { timeout: 30_000 }).toBe(1);
    ada.send('hello', { users: [helper] });
    const conversation = () => server.conversation({ users: [ada, helper] });
    await server.until(() => conversation().length === 2);
    ada.send('again', { users: [helper] });
    await server.until(() => conversation().length === 4);
    expect(conversation()).toEqual([
      'Ada: hello',
      'Helper: You said: hello',
      'Ada: again',
      'Helper: And then: again',
    ]);
  } finally {
    child.kill('SIGKILL');
    await exited;
  }
}, 120_000);
