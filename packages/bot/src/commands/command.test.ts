import { expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';

import { BotError } from '../bot-error.ts';
import type { MentionedUser } from '../mentions.ts';
import type { ArgsOf, CheckedUsage } from './args-of.ts';
import type { CustomTypes } from './argument-types.ts';
import { defineCommand } from './command.fixture.ts';
import {
  type CommandOptions,
  commandOf,
  type WithoutCustomTypes,
  type WithCustomTypes,
  type ParseResult,
} from './command.ts';

const deploy = defineCommand(
  'deploy <env:staging|prod> [ref=main] [--force/-f] [--count/-c:int=1] [note...]',
);

const defaults = { env: 'prod', ref: 'main', force: false, count: 1, note: undefined };

test.each([
  ['prod', {}],
  ['PROD', {}],
  ['prod v2', { ref: 'v2' }],
  ['"prod" "my branch"', { ref: 'my branch' }],
  ['prod `v2`', { ref: 'v2' }],
  ['prod --force', { force: true }],
  ['--force prod', { force: true }],
  ['—force prod', { force: true }],
  ['–FORCE prod', { force: true }],
  ['prod -f', { force: true }],
  ['prod --force=no', { force: false }],
  ['prod --no-force', { force: false }],
  ['prod --count 3', { count: 3 }],
  ['prod --count=3', { count: 3 }],
  ['prod —count="3"', { count: 3 }],
  ['prod -c -3', { count: -3 }],
  ['prod -c=3 v2', { count: 3, ref: 'v2' }],
  ['prod v2 it  is "time"', { ref: 'v2', note: 'it  is "time"' }],
  ['prod v2 "it is time"', { ref: 'v2', note: 'it is time' }],
  ['prod v2 it is --force time', { ref: 'v2', note: 'it is time', force: true }],
  ['prod v2 the -x flag — or --other', { ref: 'v2', note: 'the -x flag — or --other' }],
  ['prod v2 "it is" time', { ref: 'v2', note: '"it is" time' }],
  ['prod v2 it is — well --force', { ref: 'v2', note: 'it is — well', force: true }],
  ['prod v2 -- it is --force', { ref: 'v2', note: 'it is --force' }],
  ['prod — --force', { ref: '--force' }],
  ['prod "--force"', { ref: '--force' }],
  ['prod ""', { ref: '' }],
])('deploy %s is parsed', (rest, args) => {
  expect(deploy.parse(rest)).toEqual({ ok: true, args: { ...defaults, ...args } });
});

function shownError(rest: string, command: typeof deploy | typeof assign = deploy) {
  const parsed = command.parse(rest);
  if (parsed.ok) throw new Error(`${rest} was accepted`);
  const [first = '', , line, carets] = parsed.error.markdown.split('\n');
  expect(first).toBe(parsed.error.reason);
  expect(parsed.error.markdown).toContain(`\n\`\`\`\nUsage: \`${command.usage}\``);
  return [first, line, carets];
}

test.each([
  [
    'stagign',
    '`env` must be `staging` or `prod`, not `stagign`. Did you mean `staging`?',
    'deploy stagign',
    '       ^^^^^^^',
  ],
  ['moon', '`env` must be `staging` or `prod`, not `moon`.', 'deploy moon', '       ^^^^'],
  ['', '`env` is missing: it must be `staging` or `prod`.', 'deploy', '       ^'],
  ['-f ', '`env` is missing: it must be `staging` or `prod`.', 'deploy -f', '          ^'],
  [
    'prod "東京" -c x',
    '`--count` must be a whole number, such as `3`, not `x`.',
    'deploy prod "東京" -c x',
    '                      ^',
  ],
  [
    'prod --count=x',
    '`--count` must be a whole number, such as `3`, not `x`.',
    'deploy prod --count=x',
    '            ^^^^^^^^^',
  ],
  [
    'prod --count',
    '`--count` needs a value: it must be a whole number, such as `3`.',
    'deploy prod --count',
    '            ^^^^^^^',
  ],
  [
    'prod --count --force',
    '`--count` needs a value: it must be a whole number, such as `3`.',
    'deploy prod --count --force',
    '            ^^^^^^^',
  ],
  ['prod -f -f', '`--force` is given twice.', 'deploy prod -f -f', '               ^^'],
  [
    'prod --force=7',
    '`--force` must be yes or no, not `7`.',
    'deploy prod --force=7',
    '            ^^^^^^^^^',
  ],
  [
    'prod --no-force=7',
    '`--no-force` takes no value.',
    'deploy prod --no-force=7',
    '            ^^^^^^^^^^^^',
  ],
  [
    'prod —forse',
    'There is no flag `--forse`. Did you mean `--force`?',
    'deploy prod —forse',
    '            ^^^^^^',
  ],
  ['--x prod', 'There is no flag `--x`.', 'deploy --x prod', '       ^^^'],
  [
    'prod v2 a note\nand --forc',
    'There is no flag `--forc`. Did you mean `--force`?',
    'and --forc',
    '    ^^^^^^',
  ],
])('deploy %s is refused: %s', (rest, ...error) => {
  expect(shownError(rest)).toEqual(error);
});

const assign = defineCommand(
  'assign <issue:int> <--by:date> [--label/-l:string...] <users:user...>',
);

test('list arguments take items separated by spaces or commas', () => {
  const by = new Date('2030-01-31T00:00Z');
  expect(assign.parse('7 @**Ann Lee|12**, @**Bob** --by 2030-01-31 -l a, --label="b c"')).toEqual({
    ok: true,
    args: {
      issue: 7,
      by,
      label: ['a', 'b c'],
      users: [
        { fullName: 'Ann Lee', id: 12 },
        { fullName: 'Bob', id: undefined },
      ],
    },
  });
});

test.each([
  ['7', '`users` is missing: it must be a mention of a user, such as `@**Ann Lee**`.'],
  ['7 @**Bob**', '`--by` is missing: it must be a date, such as `2030-12-31`.'],
  ['7 @**Bob** Ann', '`users` must be a mention of a user, such as `@**Ann Lee**`, not `Ann`.'],
])('assign %s is refused: %s', (rest, reason) => {
  expect(shownError(rest, assign)[0]).toBe(reason);
});

test('a word after the last argument is refused, with a hint about quotes if an argument takes text', () => {
  const parsed = [defineCommand('a').parse('b'), defineCommand('a <b>').parse('b c')];
  expect(parsed).toMatchObject([
    { error: { reason: '`b` is one word too many.' } },
    { error: { reason: '`c` is one word too many. Put quotes around a text with spaces.' } },
  ]);
});

test('an error shows the command name as the user typed it', () => {
  expect(deploy.parse('x', 'Ship')).toMatchObject({
    error: { markdown: expect.stringContaining('\nShip x\n     ^\n') },
  });
});

test('arguments and flags with hyphens get camel-case keys', () => {
  expect(defineCommand('a --dry-run [my-ref]').parse('--dry-run b')).toEqual({
    ok: true,
    args: { dryRun: true, myRef: 'b' },
  });
});

test('parse returns arguments with the types of the usage', () => {
  expectTypeOf(deploy.parse).returns.toEqualTypeOf<
    ParseResult<{
      env: 'staging' | 'prod';
      ref: string;
      force: boolean;
      count: number;
      note: string | undefined;
    }>
  >();
  expectTypeOf(assign.parse).returns.toEqualTypeOf<
    ParseResult<{ issue: number; by: Date; label: string[]; users: MentionedUser[] }>
  >();
  const parsed = deploy.parse('prod');
  if (!parsed.ok) throw new Error(parsed.error.reason);
  expectTypeOf(parsed.args).not.toHaveProperty('environment');
});

test('a custom type has the value type of its parser and its name in errors', () => {
  const command = defineCommand('release <version:version> [even:even]', {
    types: {
      version: (text) => {
        const [, major] = /^v(\d+)$/.exec(text) ?? [];
        return major === undefined ? undefined : { major: Number(major) };
      },
      even: {
        expects: 'an even number',
        read: (text) => (Number(text) % 2 === 0 ? Number(text) : undefined),
      },
    },
    args: { version: 'What to release' },
  });
  expectTypeOf(command.parse).returns.toEqualTypeOf<
    ParseResult<{ version: { major: number }; even: number | undefined }>
  >();
  expect(command.parse('v2 4')).toEqual({ ok: true, args: { version: { major: 2 }, even: 4 } });
  expect(command.parse('v2 3')).toMatchObject({
    error: { reason: '`even` must be an even number, not `3`.' },
  });
  expect(command.parse('two')).toMatchObject({
    error: { reason: '`version` must be a version, not `two`.' },
  });
});

test('a custom type may be a schema, whose first issue is in the error', () => {
  const percent = z.coerce.number().max(100, 'At most 100');
  const command = defineCommand('scale <to:percent>', { types: { percent } });
  expectTypeOf(command.parse).returns.toEqualTypeOf<ParseResult<{ to: number }>>();
  expect(command.parse('80')).toEqual({ ok: true, args: { to: 80 } });
  expect(command.parse('８０')).toEqual({ ok: true, args: { to: 80 } });
  expect(command.parse('500')).toMatchObject({
    error: { reason: '`to` must be a percent, not `500`: `At most 100`.' },
  });
});

test('a schema that does not answer at once is refused at the first text', async () => {
  const taken = z.string().refine(async () => true);
  const command = defineCommand('add <name:taken>', { types: { taken } });
  await new Promise(setImmediate);
  expect(() => command.parse('x')).toThrow('asynchronous');
});

test('a schema that throws refuses the text', async () => {
  const types = { link: z.string().transform((text) => new URL(text)) };
  const command = defineCommand('open <at:link>', { types });
  await new Promise(setImmediate);
  const refused = { error: { reason: '`at` must be a link, not `nonsense`.' } };
  expect(command.parse('nonsense')).toMatchObject(refused);
  await new Promise(setImmediate);
  expect(command.parse('nonsense')).toMatchObject(refused);
  expect(command.parse('https://a.example')).toMatchObject({ ok: true });
});

test('a reply shows the words of a schema as code, so that a quoted mention reaches nobody', () => {
  const choice = z.string().refine(() => false, { error: ({ input }) => `not ${String(input)}` });
  const command = defineCommand('go <where:choice>', { types: { choice } });
  expect(command.parse('"@**all**"')).toMatchObject({
    error: { reason: '`where` must be a choice, not `@**all**`: `not @**all**`.' },
  });
});

test('an invalid usage does not compile and throws at run time', () => {
  // @ts-expect-error Unknown type strin in env:strin
  expect(() => defineCommand('deploy <env:strin>')).toThrow(BotError);
  // @ts-expect-error Missing > in <env
  expect(() => defineCommand('deploy <env')).toThrow(BotError);
  // @ts-expect-error the usage has no argument environment
  defineCommand('deploy <env>', { args: { environment: 'Where to' } });
  // @ts-expect-error the usage has no argument environment beside env
  defineCommand('deploy <env>', { args: { env: 'Where to', environment: 'Where to' } });
  const types = { version: (text: string) => text };
  // @ts-expect-error Unknown type versoin in v:versoin
  expect(() => defineCommand('deploy <v:versoin>', { types })).toThrow(BotError);
  // @ts-expect-error Unknown type versoin in v:versoin, with a parser whose parameter type is inferred
  expect(() => defineCommand('a <v:versoin>', { types: { version: (x) => x } })).toThrow(BotError);
  // @ts-expect-error Unknown type strin in env:strin
  expect(() => defineCommand('deploy <env:strin>', { about: 'Ship' })).toThrow(BotError);
});

interface Bot {
  command<const U extends string>(usage: CheckedUsage<U>, handler: Handler<ArgsOf<U>>): void;
  command<const U extends string, T extends CustomTypes>(
    usage: CheckedUsage<U, T>,
    options: Options<NoInfer<ArgsOf<U, T>>> & WithCustomTypes<T>,
    handler: Handler<NoInfer<ArgsOf<U, T>>>,
  ): void;
  command<const U extends string>(
    usage: CheckedUsage<U>,
    options: Options<NoInfer<ArgsOf<U>>> & WithoutCustomTypes,
    handler: Handler<NoInfer<ArgsOf<U>>>,
  ): void;
}
interface Options<Args> extends CommandOptions<Args> {
  readonly confirm?: (context: { readonly args: Args }) => boolean;
}
type Handler<Args> = (context: { readonly args: Args }) => unknown;

test('a method typed like defineCommand infers the arguments of its confirm function and handler', () => {
  const bot: Bot = { command: () => undefined };
  bot.command('deploy <env:x|y>', ({ args }) => {
    expectTypeOf(args).toEqualTypeOf<{ env: 'x' | 'y' }>();
  });
  bot.command(
    'deploy <env:x|y>',
    {
      args: { env: 'Where to' },
      confirm: ({ args }) => {
        expectTypeOf(args).toEqualTypeOf<{ env: 'x' | 'y' }>();
        return args.env === 'x';
      },
    },
    ({ args }) => {
      expectTypeOf(args).toEqualTypeOf<{ env: 'x' | 'y' }>();
    },
  );
  bot.command(
    'deploy <v:version> <port:port>',
    {
      types: {
        version: (text) => ({ major: text }),
        port: { expects: 'a port', read: (text) => text.length },
      },
      confirm: ({ args }) => {
        expectTypeOf(args).toEqualTypeOf<{ v: { major: string }; port: number }>();
        return true;
      },
    },
    ({ args }) => {
      expectTypeOf(args).toEqualTypeOf<{ v: { major: string }; port: number }>();
    },
  );
  // @ts-expect-error Unknown type innt in b:innt
  bot.command('a <b:innt>', { confirm: () => true }, () => 'x');
  // @ts-expect-error the option is hidden, not hiden
  bot.command('a <b:int>', { about: '', hiden: true }, () => 'x');
  // @ts-expect-error the usage has no argument c
  bot.command('a <b:int>', ({ args }) => args.c);
});

test('a usage known only at run time has arguments of unknown types', () => {
  const usage: string = 'deploy <x:int>';
  const parsed = defineCommand(usage).parse('3');
  expectTypeOf(parsed).toEqualTypeOf<ParseResult<Record<string, unknown>>>();
  expect(parsed).toEqual({ ok: true, args: { x: 3 } });
  const types = { version: (text: string) => text };
  expect(commandOf('a <b:version>', { types }).parse('v1')).toEqual({
    ok: true,
    args: { b: 'v1' },
  });
});

test('an example that does not match the usage throws', () => {
  const usage = 'deploy <env:staging|prod>';
  defineCommand(usage, { aliases: ['ship  it'], examples: ['Deploy prod', 'ship it staging'] });
  expect(() => defineCommand(usage, { examples: ['deploy moon'] })).toThrow(
    'An example does not match its usage.\n`env` must be `staging` or `prod`, not `moon`.',
  );
  expect(() => defineCommand(usage, { examples: ['deployment'] })).toThrow(
    'The example `deployment` does not start with `deploy`.',
  );
});

test.each(['', ' ', 'a <b>'])('%j is refused as an alias', (alias) => {
  expect(() => defineCommand('a', { aliases: [alias] })).toThrow(
    'An alias is a name without arguments',
  );
});
