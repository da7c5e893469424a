import type { StateCore, Token } from 'markdown-it';

import { emojiCode, emojiNames } from '../emoji/emoji-table.ts';

/** A character that may be an emoji, with or without the emoji variation selector. */
const emoji = /\p{RGI_Emoji}|[\p{Extended_Pictographic}&&[\u{2300}-\u{1faff}]](?!\ufe0e)/gv;
const perhaps = /[\p{Extended_Pictographic}\p{Regional_Indicator}]|\ufe0f/u;

/** The core rule that renders Unicode emoji like `:names:` of emoji. */
export function emojiCharacters(state: StateCore): void {
  for (const token of state.tokens) {
    if (token.type !== 'inline' || !perhaps.test(token.content)) continue;
    token.children = (token.children ?? []).flatMap((child) =>
      child.type === 'text' ? split(state, child) : [child],
    );
  }
}

function split(state: StateCore, text: Token): Token[] {
  const parts: Token[] = [];
  let end = 0;
  const push = (type: 'text' | 'emoji', content: string) => {
    const token = new state.Token(type, type === 'emoji' ? 'span' : '', 0);
    token.content = content;
    token.level = text.level;
    parts.push(token);
    return token;
  };
  for (const { 0: characters, index } of text.content.matchAll(emoji)) {
    const code = emojiCode(characters);
    const [name] = emojiNames.get(code) ?? [];
    if (name === undefined) continue;
    if (index > end) push('text', text.content.slice(end, index));
    Object.assign(push('emoji', name), { markup: characters, meta: { code } });
    end = index + characters.length;
  }
  if (end === 0) return [text];
  if (end < text.content.length) push('text', text.content.slice(end));
  return parts;
}
