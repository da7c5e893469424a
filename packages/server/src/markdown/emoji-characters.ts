import { once } from '@bellhop/http';
import type { StateCore, Token } from 'markdown-it';

import { emojiCode, emojiNames } from '../emoji/emoji-table.ts';
import { withEmoji } from './with-emoji.ts';

/**
 * A character that may be an emoji, with or without the emoji variation selector. Compiled at its first
 * use: that takes as long as loading a hundred modules.
 */
const emoji = once(
  () => /\p{RGI_Emoji}|[\p{Extended_Pictographic}&&[\u{2300}-\u{1faff}]](?!\ufe0e)/gv,
);
const perhaps = /[\p{Extended_Pictographic}\p{Regional_Indicator}]|\ufe0f/u;

/** The core rule that renders Unicode emoji like `:names:` of emoji. */
export function emojiCharacters(state: StateCore): void {
  for (const token of state.tokens) {
    if (token.type !== 'inline' || !perhaps.test(token.content)) continue;
    token.children = (token.children ?? []).flatMap((child) =>
      child.type === 'text' ? withEmoji(state, child, emojiIn(child)) : [child],
    );
  }
}

function emojiIn({ content }: Token) {
  return [...content.matchAll(emoji())].flatMap(({ 0: markup, index }) => {
    const code = emojiCode(markup);
    const [name] = emojiNames().get(code) ?? [];
    return name === undefined ? [] : [{ index, markup, name, code }];
  });
}
