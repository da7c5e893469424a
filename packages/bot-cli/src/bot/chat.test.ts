import { expect, test } from 'vitest';

import { botSource, botProject } from './bot-project.fixture.ts';

const lines = (text: string) => text.trimEnd().split('\n');

test('bot chat talks in direct messages, in a channel and as another user', async () => {
  const bot = `.on('mention', (ctx) => ctx.message.channel.name + ' > ' + ctx.message.topic)
    .fallback((ctx) => ctx.message.sender.fullName + ' says\\n' + ctx.text)`;
  await using project = await botProject({ 'bot.ts': botSource(bot) });
  const input = 'hello\n/channel #ops all releases\nhi\n/direct\n/as Ada\n\nhi\n/quit\nnever\n';
  const { out, code } = await project.run(['bot', 'chat', '--name', 'Echo'], { input });
  expect(lines(out)).toEqual([
    'You: hello',
    'Echo: You says',
    '      hello',
    '(in #ops > all releases)',
    'You: hi',
    'Echo: ops > all releases',
    '(in direct messages)',
    '(as Ada)',
    'Ada: hi',
    'Echo: Ada says',
    '      hi',
  ]);
  expect(code).toBe(0);
});

test('bot chat shows edits, reactions, files, failures and passed time, but no deleted message', async () => {
  const bot = `
    .command('work', async (ctx) => {
      const posted = await ctx.post('begun');
      await posted.edit('done');
      await posted.react('tada');
      await ctx.react('eyes');
      await (await ctx.post('oops')).remove();
      await ctx.upload(new File(['12345'], 'five.txt'));
    })
    .command('fail', () => { throw new Error(process.env.REASON); })
    .command('ask', (ctx) => ctx.begin('ask'))
    .dialog('ask', { a: { ask: 'A?', schema: z.string() } }, (_, { a }) => 'A: ' + a, { timeoutMs: 60000 })
    .fallback(() => 'else')`;
  await using project = await botProject({
    'my-bot.ts': `import { z } from 'zod';\n${botSource(bot)}`,
    '.env': 'REASON=for a reason\n',
  });
  const input =
    'work\n//etc\nask\n/wait 10m\nlate\n/wait a bit\n/dance\n/as\n/channel\n/help\nfail\n';
  const { out, code } = await project.run(['bot', 'chat', 'my-bot.ts'], { input });
  expect(out).toContain('You: work\n     (:eyes:)\nBot: done\n     (edited, :tada:, by REST)\n');
  expect(out).toContain('You: /etc\nBot: else\n');
  expect(out).not.toContain('oops');
  expect(out).toContain('(uploaded five.txt, 5 bytes)\n');
  expect(out).toMatch(/You: ask\nBot: A\?\n\(10m later\)\nYou: late\nBot: .*stopped waiting/);
  for (const advice of ['/wait 30s', 'There is no /dance', '/as Ada', '/channel ops', '/direct'])
    expect(out).toContain(advice);
  expect(out).toMatch(
    /Something went wrong\. Reference (\w+)\n[^]*reference \1\.\nError: for a reason\n.*my-bot\.ts/,
  );
  expect(out).not.toContain('node:internal');
  expect(code).toBe(1);
});

test('bot chat shows what the buttons of a question send, and other widgets by their kind', async () => {
  const bot = `
    .command('ask', (ctx) => ctx.choose('lunch', 'Lunch?', { options: ['Pizza', 'Soup'] }))
    .choice('lunch', (_, { option }) => option + '!')
    .fallback(() => ({ content: 'A poll', widget: { widget_type: 'poll' } }))`;
  await using project = await botProject({ 'bot.ts': botSource(bot) });
  const { out, code } = await project.run(['bot', 'chat'], { input: 'ask\npizza\npoll\n' });
  expect(out).toContain('(buttons that send "Pizza", "Soup")\n');
  expect(out).toContain('Bot: Pizza!\n');
  expect(out).toContain('(a poll: {"widget_type":"poll"})\n');
  expect(out).not.toContain('zform');
  expect(code).toBe(0);
});

test.each([
  ['', 'exports no bot'],
  ['export default 1', 'exports no bot'],
  ['const = 1', /bot\.ts:1\nconst = 1\n/],
  ['throw new Error("at once")', /cannot be loaded\.\nError: at once\n.*bot\.ts:1/],
  [botSource('.fallback(() => "").fallback(() => "")'), /There is a handler/],
  [botSource('.command("a <b:nope>", () => "")'), /^Invalid usage/],
])('bot chat explains why the module %j is no bot', async (source, message) => {
  await using project = await botProject({ 'bot.ts': source });
  const { err, code } = await project.run(['bot', 'chat'], { input: 'hi\n' });
  expect(err).toMatch(message);
  expect(code).toBe(1);
});

test('bot chat without a module names the missing file', async () => {
  await using project = await botProject();
  const { err, code } = await project.run(['bot', 'chat']);
  expect(err).toMatch(/^There is no bot\.ts here: name the module of your bot/);
  expect(code).toBe(1);
});
