import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { roles } from '@bellhop/protocol';
import { startTestChat } from '@bellhop/server/testing';
import { expect, test } from 'vitest';

import { temporarySandbox } from './support/temporary-sandbox.ts';

const session = fileURLToPath(new URL('clients/zulip-js-session.ts', import.meta.url));
const resources = fileURLToPath(new URL('clients/zulip-js-resources.ts', import.meta.url));

test('zulip-js logs in, mentions the bot, receives its reply, adds a reaction and makes every call about messages', async () => {
  await using chat = await temporarySandbox();
  const { base_url, users } = chat.sandbox.file;
  const max = users.find(({ role }) => role === roles.member);
  if (!max) throw new Error('The sandbox has no member');
  const args = [session, base_url, max.email, max.password];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 100_000 });
  expect(JSON.parse(stdout)).toMatchObject({
    sender_full_name: 'Echo Bot',
    subject: 'zulip-js',
    content: 'hello from zulip-js',
    display_recipient: 'bots',
    calls: {
      found: ['<p>first</p>'],
      rendered: ['<p><strong>bold</strong></p>', '<p><em>thin</em></p>'],
      failures: [],
    },
    answers: ['success', 'success', 'REACTION_DOES_NOT_EXIST'],
  });
});

test('zulip-js calls every method of every resource; those that the public API has removed fail', async () => {
  await using chat = await startTestChat();
  const password = 'a long password';
  const { email } = await chat.addPerson('ophelia', roles.owner, { password });
  const args = [resources, chat.url, email, password];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 100_000 });
  const answers = JSON.parse(stdout) as Record<string, string>;
  const others = Object.entries(answers).filter(([, answer]) => answer !== 'success');
  expect(Object.fromEntries(others)).toEqual({
    'filters.retrieve': 'METHOD_NOT_ALLOWED',
    'users.me.pointer.retrieve': 'NOT_FOUND',
    'users.me.pointer.update': 'NOT_FOUND',
  });
  expect(Object.keys(answers)).toHaveLength(33);
});
