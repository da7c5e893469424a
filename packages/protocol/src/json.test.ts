import { expect, test } from 'vitest';

import { jsonDepth, parseJson, stringifyJson } from './json.ts';

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

test('jsonDepth ignores brackets inside strings', () => {
  expect(jsonDepth('{"a":[{"b":"[[[[\\"["}]}')).toBe(3);
  expect(jsonDepth('5')).toBe(0);
});
