import { describe, expect, test } from 'vitest';

import clientNames from '../../emoji/client-names.json' with { type: 'json' };
import { emojiOf, requireBuiltIn } from './emoji.ts';

const pairs = Object.entries(clientNames).flatMap(([emoji_code, names]) =>
  names.map((emoji_name) => ({ emoji_name, emoji_code })),
);

describe('every emoji name that public clients send', () => {
  test('is accepted with its code', () => {
    expect(pairs).toHaveLength(2887);
    for (const pair of pairs) {
      const emoji = emojiOf({ ...pair, reaction_type: 'unicode_emoji' });
      expect(emoji.emoji_code).toBe(pair.emoji_code);
      requireBuiltIn(pair.emoji_name, emoji);
    }
  });

  test('stands for its code if the client sends none', () => {
    for (const { emoji_name, emoji_code } of pairs)
      expect(emojiOf({ emoji_name }), emoji_name).toEqual({
        emoji_code,
        reaction_type: 'unicode_emoji',
      });
  });
});
