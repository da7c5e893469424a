import { describe, expect, test } from 'vitest';

import clientNames from './client-names.json' with { type: 'json' };
import { emojiCode, emojiCodes, emojiNames, isEmojiName } from './emoji-table.ts';

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
    expect(emojiCodes().get(name)).toBe(code);
    expect(emojiNames().get(code)).toContain(name);
  });

  test('contains every Unicode emoji, each with a name that resolves to it', () => {
    expect(emojiNames().size).toBeGreaterThan(1900);
    for (const [code, names] of emojiNames()) {
      expect(code).toMatch(/^[0-9a-f]{4,6}(-[0-9a-f]{4,6})*$/);
      expect(names.length, code).toBeGreaterThan(0);
      for (const name of names) expect(emojiCodes().get(name), name).toBe(code);
    }
    expect(new Set(emojiCodes().values()).size).toBe(emojiNames().size);
  });

  test('contains only names that are valid between colons', () => {
    for (const name of emojiCodes().keys()) expect(name).toMatch(/^[\p{L}\p{M}\p{N}_+-]+$/u);
  });

  test('resolves every name that public clients send to the code that they send with it', () => {
    expect(Object.keys(clientNames)).toHaveLength(1826);
    for (const [code, names] of Object.entries(clientNames)) {
      expect(emojiNames().get(code)?.slice(0, names.length), code).toEqual(names);
      for (const name of names) expect(isEmojiName(name, code), name).toBe(true);
    }
  });

  test("accepts GitHub's name of an emoji with its code where clients use the name for another", () => {
    expect(emojiCodes().get('football')).toBe('26bd');
    expect(isEmojiName('football', '1f3c8')).toBe(true);
    expect(isEmojiName('football', '1f389')).toBe(false);
  });
});

test('emojiCode is the same with and without a variation selector', () => {
  expect(emojiCode('\u2764\ufe0f')).toBe('2764');
  expect(emojiCode('\u2764')).toBe('2764');
  expect(emojiCode('\u{1f44d}')).toBe('1f44d');
  expect(emojiCode('#\ufe0f\u20e3')).toBe('0023-20e3');
  const detective = '1f575-fe0f-200d-2640-fe0f';
  expect(emojiCode('\u{1f575}\ufe0f\u200d\u2640\ufe0f')).toBe(detective);
  expect(emojiCode('\u{1f575}\u200d\u2640')).toBe(detective);
});
