import fc from 'fast-check';
import { expect, test } from 'vitest';

import { BotError } from '../bot-error.ts';
import { readUsage } from './read-usage.ts';

test('a usage with every part is read into words, positionals and flags', () => {
  const usage = readUsage(
    ' release  notes <env:staging|prod> [ref:string=my main] [--dry-run/-n] --count:int=1 [note...]',
  );
  expect(usage.words).toEqual(['release', 'notes']);
  expect(usage.positionals).toMatchObject([
    { name: 'env', kind: 'positional', required: true, choices: ['staging', 'prod'] },
    { name: 'ref', required: false, type: 'string', default: 'my main', takes: 'one' },
    { name: 'note', required: false, type: undefined, takes: 'text' },
  ]);
  expect(usage.flags).toMatchObject([
    { name: 'dry-run', key: 'dryRun', kind: 'switch', short: 'n', required: false },
    { name: 'count', kind: 'flag', type: 'int', default: '1' },
  ]);
});

test('a usage may declare required flags and lists', () => {
  const usage = readUsage('assign <--to:user> [--label/-l:string...] <users:user...>');
  expect(usage.positionals).toMatchObject([{ name: 'users', takes: 'list', required: true }]);
  expect(usage.flags).toMatchObject([
    { name: 'to', required: true, takes: 'one' },
    { name: 'label', short: 'l', required: false, takes: 'list' },
  ]);
});

test('choices ignore letter case unless two differ only in case', () => {
  expect(readUsage('a <b:x|Y>').positionals[0]?.read('y')).toBe('Y');
  expect(readUsage('a <b:x|X>').positionals[0]?.read('X')).toBe('X');
  expect(readUsage('a <b:x|y>').positionals[0]?.read('z')).toBeUndefined();
});

test('a custom type refuses a text by returning undefined or by throwing', () => {
  const types = {
    even: (text: string) => (Number(text) % 2 === 0 ? Number(text) : undefined),
    json: { expects: 'JSON', read: (text: string): unknown => JSON.parse(text) },
  };
  const [even, json] = readUsage('a <b:even> <c:json>', types).positionals;
  expect([even?.expects, even?.read('4'), even?.read('3')]).toEqual(['an even', 4, undefined]);
  expect([json?.expects, json?.read('[1]'), json?.read('[')]).toEqual(['JSON', [1], undefined]);
});

test('a custom type with the name of a built-in type throws', () => {
  expect(() => readUsage('a <b:int>', { int: Number })).toThrow('The type int is built in');
});

test.each([
  ['', 'it must start with the command name', '\n^'],
  ['<a> b', 'it must start with the command name', '<a> b\n ^'],
  ['a <b:strin>', 'unknown type strin; known are string, int', 'a <b:strin>\n   ^^^^^^^'],
  ['a <b:constructor>', 'unknown type constructor', '   ^'],
  ['a <b:toString>', 'unknown type toString', '   ^'],
  ['a <b', 'unmatched <', 'a <b\n  ^'],
  ['a b>', 'a space is missing here', 'a b>\n   ^'],
  ['a ]', 'unmatched ]', 'a ]\n  ^'],
  ['a <b <c>', 'unmatched <', 'a <b <c>\n  ^'],
  ['a <b>[c]', 'a space is missing here', 'a <b>[c]\n     ^'],
  ['a <>', 'write name', 'a <>\n   ^'],
  ['a <b c>', 'write name', '   ^^^'],
  ['a <b:>', 'write name', '   ^^'],
  ['a <b/-x>', 'only a flag may have a short form', '   ^^^^'],
  ['a <b> c', 'the command name must come before', 'a <b> c\n      ^'],
  ['a [b] <c>', 'b before it is optional', '       ^'],
  ['a <b...> <c>', 'b before it takes the rest of the text', '          ^'],
  ['a <b> [b]', 'another argument has that name', '       ^'],
  ['a <b-c> --b-c', 'another argument has that name', '        ^^^^^'],
  ['a --b/-x --c/-x', 'another argument has that name', '         ^^^^^^'],
  ['a <b=c>', 'a required argument takes no default', '   ^^^'],
  ['a --b=c', 'a switch takes no default', '  ^^^^^'],
  ['a [b:int...=3]', 'a list takes no default', '   ^'],
  ['a [b:int=x]', 'the default must be a whole number', '   ^^^^^^^'],
  ['a [b:x|y=z]', 'the default must be `x` or `y`', '   ^^^^^^^'],
  ['a --b...', 'a flag takes one value', '  ^^^^^^'],
  ['a <b:x|x>', 'choices must be distinct words', '   ^^^^^'],
  ['a <b:x|>', 'choices must be distinct words', '   ^^^^'],
])('the usage %j is refused: %s', (usage, reason, place) => {
  const read = () => readUsage(usage);
  expect(read).toThrow(BotError);
  expect(read).toThrow(`Invalid usage: ${reason}`);
  expect(read).toThrow(place);
});

test('readUsage throws nothing but a BotError for any text', () => {
  const sign = fc.constantFrom(...'ab <>[]:|=./-'.split(''), 'int', '--', '...');
  fc.assert(
    fc.property(fc.string({ unit: sign }), (usage) => {
      try {
        readUsage(usage);
      } catch (error) {
        expect(error).toBeInstanceOf(BotError);
      }
    }),
  );
});
