import { expect, expectTypeOf, test } from 'vitest';

import { createBot } from '../create-bot.ts';
import { delivered } from '../deliveries/delivery-dispatcher.fixture.ts';
import type { AnyBot } from '../internals.ts';
import type { Rest } from '../rest/rest.ts';
import type { UserProfile } from '../rest/user-profile.ts';
import { Runtime } from '../runtime.ts';

const identity = { email: 'echo-bot@chat.test', token: 'genuine' };

async function say(bot: AnyBot, text: string, rest?: Rest): Promise<string | undefined> {
  const instead = rest && { rest };
  const { dispatcher } = new Runtime(bot, {
    deadlineMs: 8000,
    place: 'test',
    ...(instead && { instead }),
  });
  return (await dispatcher.accept(delivered(`@**Echo Bot** ${text}`)))?.content;
}

const deployBot = () =>
  createBot(identity).command(
    'deploy <env:staging|prod> [ref=main] [--force]',
    { about: 'Ship a branch', aliases: ['ship'] },
    (ctx) => {
      expectTypeOf(ctx.args).toEqualTypeOf<{
        env: 'staging' | 'prod';
        ref: string;
        force: boolean;
      }>();
      return `${ctx.command} ${JSON.stringify(ctx.args)}`;
    },
  );

test('a command gets its arguments by name and with their types', async () => {
  expect(await say(deployBot(), 'DEPLOY prod --force')).toBe(
    'deploy {"env":"prod","ref":"main","force":true}',
  );
  expect(await say(deployBot(), 'ship staging "release 2"')).toContain('"ref":"release 2"');
});

test('a command with a wrong argument replies with a caret under it and the usage', async () => {
  const said = await say(deployBot(), 'deploy stagng');
  expect(said).toContain('staging');
  expect(said).toMatch(/\n {7}\^{6}\n/);
  expect(said).toContain('Usage: `deploy <env:staging|prod>');
});

test('`help` lists the commands, `help deploy` describes one', async () => {
  expect(await say(deployBot(), 'help')).toContain('Ship a branch');
  expect(await say(deployBot(), '')).toContain('Ship a branch');
  expect(await say(deployBot(), 'help deploy')).toContain('env');
  expect(await say(deployBot(), 'help fly')).toContain('There is no command `fly`');
});

test('a `help` command of the bot replaces the built-in one, which a bot without commands lacks', async () => {
  const own = deployBot().command('help [topic]', () => 'own help');
  expect(await say(own, 'help')).toBe('own help');
  expect(await say(createBot(identity), 'help')).toBeUndefined();
  expect(
    await say(
      createBot(identity).fallback((ctx) => ctx.text),
      'help',
    ),
  ).toBe('help');
});

test('a message that no handler matches is answered with the nearest command', async () => {
  expect(await say(deployBot(), 'deplyo prod')).toContain('Did you mean `deploy`?');
  expect(
    await say(
      deployBot().fallback(() => 'fallback'),
      'deplyo prod',
    ),
  ).toBe('fallback');
});

test('a command with `allow` is refused to users without the role and when the function returns false', async () => {
  const bot = createBot(identity)
    .command('wipe', { allow: 'moderator' }, () => 'wiped')
    .command('mine', { allow: (ctx) => ctx.message.sender.id === 8 }, () => 'yours');
  const sayAs = (role: UserProfile['role'], text: string) =>
    say(bot, text, { user: async () => ({ role }) } as unknown as Rest);
  expect(await sayAs('moderator', 'wipe')).toBe('wiped');
  expect(await sayAs('owner', 'wipe')).toBe('wiped');
  expect(await sayAs('member', 'wipe')).toContain('role moderator or above');
  expect(await sayAs('owner', 'mine')).toBe('You may not use `mine`.');
});
