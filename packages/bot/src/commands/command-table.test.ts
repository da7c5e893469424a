import { expect, test } from 'vitest';

import { commandTable } from './command-table.ts';
import { defineCommand } from './command.ts';

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
])('%j', (text, value, typed, rest) => {
  expect(table.find(text)).toMatchObject({ value, typed, rest });
});

test.each(['', ' ', 'good', 'good evening', 'says', 'constructor', '`say` x', '\u0000'])(
  '%j is no command',
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
])('%j means %j', (text, name) => {
  expect(table.nearest(text)).toBe(name);
});

test.each([
  ['say', 'SAY'],
  ['say', 'say <what>'],
  ['release  notes', 'release notes'],
])('%j and %j cannot be told apart', (one, other) => {
  expect(() => tableOf(one, other)).toThrow(/^There is a command or an alias `.*` already/);
});

test('an alias collides as a name does, and a refused command leaves nothing behind', () => {
  const own = tableOf('say', 'greet');
  const aliased = defineCommand('tell', { aliases: ['greet'] });
  expect(() => own.add(aliased, 'tell')).toThrow('an alias `greet` already');
  expect(own.find('tell')).toBeUndefined();
  expect(own.size).toBe(2);
  expect(() => own.add(defineCommand('a', { aliases: ['A'] }), 'a')).toThrow('`A` already');
});

test('what is found is parsed by its command', () => {
  const found = table.find('release notes 1.2');
  expect(found?.command.parse(found.rest, found.typed)).toEqual({
    ok: true,
    args: { version: '1.2' },
  });
});

test.each(['a ', ' ', 'release ', '`', 'release notes '])(
  'much of %j is found at once',
  (piece) => {
    const text = piece.repeat(1_000_000 / piece.length);
    const started = performance.now();
    table.find(text);
    table.nearest(text);
    expect(performance.now() - started).toBeLessThan(1000);
  },
);
