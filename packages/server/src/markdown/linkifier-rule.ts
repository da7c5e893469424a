import type { StateCore, Token } from 'markdown-it';

import { findLinkifierMatches } from './find-linkifier-matches.ts';
import { renderState } from './render-state.ts';

/** The core rule that turns texts matched by the realm's linkifiers into links, outside of links and code. */
export function linkifierRule(state: StateCore): void {
  const { linkifiers } = renderState(state.env);
  if (linkifiers.length === 0) return;
  for (const token of state.tokens) {
    if (token.type !== 'inline') continue;
    let links = 0;
    token.children = (token.children ?? []).flatMap((child) => {
      if (child.type === 'link_open') links += 1;
      if (child.type === 'link_close') links -= 1;
      if (child.type !== 'text' || links > 0) return [child];
      return split(state, child, findLinkifierMatches(linkifiers, child.content));
    });
  }
}

function split(
  state: StateCore,
  text: Token,
  matches: ReturnType<typeof findLinkifierMatches>,
): Token[] {
  if (matches.length === 0) return [text];
  const parts: Token[] = [];
  const push = (token: Token, content = '') => {
    token.content = content;
    token.level = text.level;
    parts.push(token);
    return token;
  };
  const pushText = (content: string) => {
    if (content !== '') push(new state.Token('text', '', 0), content);
  };
  let end = 0;
  for (const match of matches) {
    pushText(text.content.slice(end, match.index));
    push(new state.Token('link_open', 'a', 1)).attrSet('href', match.url);
    pushText(match.text);
    push(new state.Token('link_close', 'a', -1));
    end = match.index + match.text.length;
  }
  pushText(text.content.slice(end));
  return parts;
}
