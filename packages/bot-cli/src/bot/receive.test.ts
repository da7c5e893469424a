import { afterAll, beforeAll, expect, test } from 'vitest';

import { botSource, type BotProject, botProject } from './bot-project.fixture.ts';

const payload = {
  bot_email: 'echo-bot@chat.test',
  bot_full_name: 'Echo Bot',
  trigger: 'mention',
  message: {
    id: 91,
    stream_id: 3,
    display_recipient: 'ops',
    subject: 'releases',
    content: '@**Echo Bot** hello there',
    sender_id: 7,
    sender_email: 'iago@chat.test',
    sender_full_name: 'Iago',
    timestamp: 1_790_000_000,
  },
};
const saying = (content: string) =>
  JSON.stringify({ ...payload, message: { ...payload.message, content } });

let project: BotProject;
beforeAll(async () => {
  project = await botProject({
    'bot.ts': botSource(`
      .command('fail', () => { throw new Error('broken'); })
      .command('twice', async (ctx) => { await ctx.reply('one'); await ctx.reply('two'); await ctx.react('eyes'); })
      .command('hush', () => {})
      .fallback((ctx) => ctx.text)`),
    'hello.json': JSON.stringify(payload),
    'fail.json': saying('fail'),
    'twice.json': saying('twice'),
    'hush.json': saying('hush'),
    'slack.json': JSON.stringify({ ...payload, trigger: 'direct_message' }),
    'wrong.json': JSON.stringify({ ...payload, bot_email: 5, message: { id: 'x' } }),
    'list.json': '[1]',
    'broken.json': '{',
  });
});
afterAll(() => project[Symbol.asyncDispose]());

test('bot receive prints the conversation and the JSON that answers the server', async () => {
  const { out, code } = await project.run(['bot', 'receive', 'hello.json']);
  expect(out).toBe(
    'Iago: @**Echo Bot** hello there\nEcho Bot: hello there\n\nanswer: {"content":"hello there"}\n',
  );
  expect(code).toBe(0);
});

test('bot receive --json prints only the JSON that answers the server', async () => {
  const { out } = await project.run(['bot', 'receive', 'hello.json', 'bot.ts', '--json']);
  expect(JSON.parse(out)).toEqual({ content: 'hello there' });
  const silent = await project.run(['bot', 'receive', 'hush.json', '--json']);
  expect(JSON.parse(silent.out)).toEqual({ response_not_required: true });
});

test('bot receive shows REST calls without sending them', async () => {
  const { out } = await project.run(['bot', 'receive', 'twice.json']);
  expect(out).toMatch(/^Iago: twice\n {6}\(:eyes:\)\n[^]*: one\n[^]*: two\n/);
});

test('bot receive prints the failure of a handler and exits with 1', async () => {
  const { out, err, code } = await project.run(['bot', 'receive', 'fail.json']);
  expect(out).toContain('Echo Bot: Something went wrong. Reference ');
  expect(err).toMatch(/The handler failed, reference \w+\.\nError: broken\n.*bot\.ts/);
  expect(code).toBe(1);
});

test.each([
  ['wrong.json', ['  bot_email: ', '  message.id: ', '  message.sender_id: ']],
  ['slack.json', ['  message: the trigger and the place']],
  ['list.json', ['This is not the payload of an outgoing webhook', '  bot_email: ']],
  ['broken.json', ['broken.json is not JSON']],
  ['none.json', ['There is no file none.json']],
])('bot receive rejects %s and names the reasons', async (file, reasons) => {
  const { err, code } = await project.run(['bot', 'receive', file]);
  for (const reason of reasons) expect(err).toContain(reason);
  expect(code).toBe(1);
});
