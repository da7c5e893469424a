import fc from 'fast-check';
import { expect, test } from 'vitest';

import { BotError } from '../bot-error.ts';
import { readUsage } from './read-usage.ts';

test('a name, arguments and flags', () => {
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

test('lists and required flags', () => {
  const usage = readUsage('assign <--to:user> [--label/-l:string...] <users:user...>');
  expect(usage.positionals).toMatchObject([{ name: 'users', takes: 'list', required: true }]);
  expect(usage.flags).toMatchObject([
    { name: 'to', required: true, takes: 'one' },
    { name: 'label', short: 'l', required: false, takes: 'list' },
  ]);
});

test('choices are read in capitals or not, unless that tells them apart', () => {
  expect(readUsage('a <b:x|Y>').positionals[0]?.read('y')).toBe('Y');
  expect(readUsage('a <b:x|X>').positionals[0]?.read('X')).toBe('X');
  expect(readUsage('a <b:x|y>').positionals[0]?.read('z')).toBeUndefined();
});

test('a type of the bot refuses by undefined or by throwing', () => {
  const types = {
    even: (text: string) => (Number(text) % 2 === 0 ? Number(text) : undefined),
    json: { expects: 'JSON', read: (text: string): unknown => JSON.parse(text) },
  };
  const [even, json] = readUsage('a <b:even> <c:json>', types).positionals;
  expect([even?.expects, even?.read('4'), even?.read('3')]).toEqual(['an even', 4, undefined]);
  expect([json?.expects, json?.read('[1]'), json?.read('[')]).toEqual(['JSON', [1], undefined]);
});

test('a type that is built in stays what it is', () => {
  expect(() => readUsage('a <b:int>', { int: Number })).toThrow('The type int is built in');
});

test.each([
  ['', 'it starts with the name', '\n^'],
  ['<a> b', 'it starts with the name', '<a> b\n ^'],
  ['a <b:strin>', 'there is no type strin, but string, int', 'a <b:strin>\n   ^^^^^^^'],
  ['a <b:constructor>', 'there is no type constructor', '   ^'],
  ['a <b:toString>', 'there is no type toString', '   ^'],
  ['a <b', '< has no partner', 'a <b\n  ^'],
  ['a b>', 'a space is missing here', 'a b>\n   ^'],
  ['a ]', '] has no partner', 'a ]\n  ^'],
  ['a <b <c>', '< has no partner', 'a <b <c>\n  ^'],
  ['a <b>[c]', 'a space is missing here', 'a <b>[c]\n     ^'],
  ['a <>', 'write name', 'a <>\n   ^'],
  ['a <b c>', 'write name', '   ^^^'],
  ['a <b:>', 'write name', '   ^^'],
  ['a <b/-x>', 'only a flag', '   ^^^^'],
  ['a <b> c', 'the name comes before', 'a <b> c\n      ^'],
  ['a [b] <c>', 'b before it may be left out', '       ^'],
  ['a <b...> <c>', 'b before it takes all the rest', '          ^'],
  ['a <b> [b]', 'there is an argument of that name', '       ^'],
  ['a <b-c> --b-c', 'there is an argument of that name', '        ^^^^^'],
  ['a --b/-x --c/-x', 'there is an argument of that name', '         ^^^^^^'],
  ['a <b=c>', 'what must be given has no default', '   ^^^'],
  ['a --b=c', 'a switch', '  ^^^^^'],
  ['a [b:int...=3]', 'a list', '   ^'],
  ['a [b:int=x]', 'the default must be a whole number', '   ^^^^^^^'],
  ['a [b:x|y=z]', 'the default must be `x` or `y`', '   ^^^^^^^'],
  ['a --b...', 'a flag takes one value', '  ^^^^^^'],
  ['a <b:x|x>', 'the choices are not all different', '   ^^^^^'],
  ['a <b:x|>', 'the choices are not all different', '   ^^^^'],
])('%j: %s', (usage, reason, place) => {
  const read = () => readUsage(usage);
  expect(read).toThrow(BotError);
  expect(read).toThrow(`A usage cannot be read: ${reason}`);
  expect(read).toThrow(place);
});

test('whatever the text, only a BotError comes out', () => {
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
