import { expectTypeOf, test } from 'vitest';

import { defineCommand } from './command.ts';
import {
  argument,
  choiceFlag,
  listFlag,
  optionalArgument,
  requiredFlag,
  switchFlag,
  textFlag,
  valueFlag,
} from './flags.ts';

test('the function of a command gets each flag with the type that its definition says', () => {
  defineCommand({
    description: 'Does nothing.',
    flags: {
      force: switchFlag('Do it all the same'),
      name: textFlag('A name', 'NAME'),
      server: requiredFlag('The server', 'URL', String),
      topic: listFlag('A topic', 'TOPIC'),
      count: valueFlag('How many', 'NUMBER', Number, '1'),
      since: valueFlag('From when on', 'TIME', (text) => new Date(text)),
      kind: choiceFlag('Its kind', ['apns', 'fcm'], 'fcm'),
    },
    run: async (flags) => {
      expectTypeOf(flags.force).toEqualTypeOf<boolean>();
      expectTypeOf(flags.name).toEqualTypeOf<string | undefined>();
      expectTypeOf(flags.server).toEqualTypeOf<string>();
      expectTypeOf(flags.topic).toEqualTypeOf<readonly string[] | undefined>();
      expectTypeOf(flags.count).toEqualTypeOf<number>();
      expectTypeOf(flags.since).toEqualTypeOf<Date | undefined>();
      expectTypeOf(flags.kind).toEqualTypeOf<'apns' | 'fcm'>();
      // @ts-expect-error The flag is called `force`.
      void flags.forced;
    },
  });
});

test('the function of a command gets its arguments in their order and with their types', () => {
  defineCommand({
    description: 'Does nothing.',
    args: [argument('ID', 'An ID', Number), optionalArgument('NAME', 'A name')],
    run: async (_flags, ...given) => {
      expectTypeOf(given).toEqualTypeOf<[number, string | undefined]>();
    },
  });
  defineCommand({
    description: 'Does nothing.',
    args: { each: argument('FILE', 'A file') },
    run: async (_flags, ...files) => {
      expectTypeOf(files).toEqualTypeOf<string[]>();
    },
  });
  defineCommand({
    description: 'Does nothing.',
    // @ts-expect-error The command has no second argument.
    run: async (_flags, _second: string) => {},
  });
});
