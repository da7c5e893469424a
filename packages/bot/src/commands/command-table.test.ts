import { expect, test } from 'vitest';

import { cpuMs } from '../cpu-ms.fixture.ts';
import { commandTable } from './command-table.ts';
import { defineCommand } from './command.fixture.ts';

function tableOf(...usages: string[]) {
  const table = commandTable<string>();
  for (const usage of usages) table.add(defineCommand(usage), usage);
  return table;
}

const table = tableOf('release <version>', 'release notes <version>', 'say', 'sign-up');
table.add(defineCommand('greet [who...]', { aliases: ['hi', 'good day'] }), 'greet');
table.add(defineCommand('debug', { hidden: true }), 'debug');

test.each([
  ['release 1.2', 'release <version>', 'release', '1.2'],
  ['release notes 1.2', 'release notes <version>', 'release notes', '1.2'],
  ['Release\n NOTES\n\n1.2\n', 'release notes <version>', 'Release\n NOTES', '1.2'],
  ['release note 1.2', 'release <version>', 'release', 'note 1.2'],
  ['  say', 'say', 'say', ''],
  ['SIGN-UP now', 'sign-up', 'SIGN-UP', 'now'],
  ['hi Ann', 'greet', 'hi', 'Ann'],
  ['good day Ann', 'greet', 'good day', 'Ann'],
  ['`release 1.2`', 'release <version>', 'release', '1.2'],
  ['debug', 'debug', 'debug', ''],
])('find(%j) returns the command %j', (text, value, typed, rest) => {
  expect(table.find(text)).toMatchObject({ value, typed, rest });
});

test.each(['', ' ', 'good', 'good evening', 'says', 'constructor', '`say` x', '\u0000'])(
  'find(%j) returns undefined',
  (text) => {
    expect(table.find(text)).toBeUndefined();
  },
);

test.each([
  ['relase 1.2', 'release'],
  ['relase notes 1.2', 'release notes'],
  ['goood day', 'good day'],
  ['sya it', 'say'],
  ['debgu', undefined],
  ['what can you do', undefined],
  ['', undefined],
])('nearest(%j) returns %j', (text, name) => {
  expect(table.nearest(text)).toBe(name);
});

test.each([
  ['say', 'SAY'],
  ['say', 'say <what>'],
  ['release  notes', 'release notes'],
])('after %j the command %j throws because its name is taken', (one, other) => {
  expect(() => tableOf(one, other)).toThrow(/^The name `.*` is taken by another command or alias/);
});

test('an alias that is taken throws, and no name of that command is added', () => {
  const sayAndGreet = tableOf('say', 'greet');
  const aliased = defineCommand('tell', { aliases: ['greet'] });
  expect(() => sayAndGreet.add(aliased, 'tell')).toThrow('The name `greet` is taken');
  expect(sayAndGreet.find('tell')).toBeUndefined();
  expect(sayAndGreet.size).toBe(2);
  expect(() => sayAndGreet.add(defineCommand('a', { aliases: ['A'] }), 'a')).toThrow(
    'The name `A` is taken',
  );
});

test('a found command parses the rest of its text', () => {
  const found = table.find('release notes 1.2');
  expect(found?.command.parse(found.rest, found.typed)).toEqual({
    ok: true,
    args: { version: '1.2' },
  });
});

test.each(['a ', ' ', 'release ', '`', 'release notes '])(
  'find and nearest take less than 1 s for 1 MB of %j',
  (piece) => {
    const text = piece.repeat(1_000_000 / piece.length);
    const taken = cpuMs(() => {
      table.find(text);
      table.nearest(text);
    });
    expect(taken).toBeLessThan(1000);
  },
);
