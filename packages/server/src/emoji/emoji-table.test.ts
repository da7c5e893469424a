import { describe, expect, test } from 'vitest';

import { emojiCode, emojiCodes, emojiNames } from './emoji-table.ts';
import { protocolNames } from './protocol-names.ts';

describe('the emoji table', () => {
  test.each([
    ['+1', '1f44d'],
    ['thumbs_up', '1f44d'],
    ['tada', '1f389'],
    ['octopus', '1f419'],
    ['heart', '2764'],
    ['red_heart', '2764'],
    ['smile', '1f642'],
    ['big_smile', '1f604'],
    ['working_on_it', '1f6e0'],
    ['check', '2705'],
    ['check_mark', '2714'],
    ['white_check_mark', '2705'],
    ['rocket', '1f680'],
    ['eyes', '1f440'],
    ['dog', '1f415'],
    ['umbrella', '2602'],
    ['hash', '0023-20e3'],
    ['flag_sark', '1f1e8-1f1f6'],
    ['phoenix', '1f426-200d-1f525'],
  ])('the code of %s is %s', (name, code) => {
    expect(emojiCodes.get(name)).toBe(code);
    expect(emojiNames.get(code)).toContain(name);
  });

  test('contains every Unicode emoji, each with a name that resolves to it', () => {
    expect(emojiNames.size).toBeGreaterThan(1900);
    for (const [code, names] of emojiNames) {
      expect(code).toMatch(/^[0-9a-f]{4,6}(-[0-9a-f]{4,6})*$/);
      expect(names.length, code).toBeGreaterThan(0);
      for (const name of names) expect(emojiCodes.get(name), name).toBe(code);
    }
    expect(new Set(emojiCodes.values()).size).toBe(emojiNames.size);
  });

  test('contains only names that are valid between colons', () => {
    for (const name of emojiCodes.keys()) expect(name).toMatch(/^[\w+-]+$/);
  });

  test('gives no emoji a name that the protocol uses for another emoji', () => {
    for (const [code, names] of Object.entries(protocolNames)) {
      expect(emojiNames.get(code)?.slice(0, names.length), code).toEqual(names);
    }
  });
});

test('emojiCode is the same with and without a variation selector', () => {
  expect(emojiCode('\u2764\ufe0f')).toBe('2764');
  expect(emojiCode('\u2764')).toBe('2764');
  expect(emojiCode('\u{1f44d}')).toBe('1f44d');
  expect(emojiCode('#\ufe0f\u20e3')).toBe('0023-20e3');
});
