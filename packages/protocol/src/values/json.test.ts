import { expect, test } from 'vitest';

import { isJsonWithin, jsonDepth, parseJson, stringifyJson } from './json.ts';

test.each(['9223372036854775807', '-9223372036854775808', '9007199254740993'])(
  '%s survives a round trip',
  (digits) => {
    const text = `{"id":${digits},"list":[${digits}]}`;
    expect(parseJson(text)).toEqual({ id: BigInt(digits), list: [BigInt(digits)] });
    expect(stringifyJson(parseJson(text))).toBe(text);
  },
);

test('safe integers stay numbers, and digits inside strings stay text', () => {
  expect(parseJson('{"a":12,"b":1.5e300,"c":"9223372036854775807"}')).toEqual({
    a: 12,
    b: 1.5e300,
    c: '9223372036854775807',
  });
});

test('a bigint is written as a number at any depth, beside dates and absent fields', () => {
  const value = { at: new Date(0), none: undefined, list: [{ id: 2n ** 63n, gone: undefined }] };
  expect(stringifyJson(value)).toBe(
    '{"at":"1970-01-01T00:00:00.000Z","list":[{"id":9223372036854775808}]}',
  );
});

test.each([
  { text: 'plain', id: -(2n ** 63n) },
  { 'needs "escapes"': '\u0000'.repeat(50), numbers: [1, -1.5e-300, true, null] },
  { date: new Date(0), nested: [[{ a: '' }], 'é'] },
])('isJsonWithin accepts a value up to the length of its JSON text, case %#', (value) => {
  const { length } = stringifyJson(value);
  expect(isJsonWithin(value, length)).toBe(true);
  expect(isJsonWithin(value, length - 1)).toBe(false);
});

test('jsonDepth ignores brackets inside strings', () => {
  expect(jsonDepth('{"a":[{"b":"[[[[\\"["}]}')).toBe(3);
  expect(jsonDepth('5')).toBe(0);
});
