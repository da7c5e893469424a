import type { StateCore, Token } from 'markdown-it';

interface FoundEmoji {
  readonly index: number;
  /** The part of the text that the emoji replaces: `:smile:`, or the emoji itself. */
  readonly markup: string;
  readonly name: string;
  readonly code: string | undefined;
}

/** A text token as several, in which these emoji, in the order of the text, are tokens of their own. */
export function withEmoji(state: StateCore, text: Token, found: readonly FoundEmoji[]): Token[] {
  if (found.length === 0) return [text];
  const parts: Token[] = [];
  const push = (type: 'text' | 'emoji', content: string) => {
    const token = new state.Token(type, type === 'emoji' ? 'span' : '', 0);
    token.content = content;
    token.level = text.level;
    parts.push(token);
    return token;
  };
  let end = 0;
  for (const { index, markup, name, code } of found) {
    if (index > end) push('text', text.content.slice(end, index));
    Object.assign(push('emoji', name), { markup, meta: { code } });
    end = index + markup.length;
  }
  if (end < text.content.length) push('text', text.content.slice(end));
  return parts;
}
