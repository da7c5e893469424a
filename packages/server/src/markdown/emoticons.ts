import type { StateCore, Token } from 'markdown-it';

import { emojiCodes } from '../emoji/emoji-table.ts';
import { renderState } from './render-state.ts';

/** The names of the emoji that stand for emoticons, as in the public dialect. */
const emojiNames: Readonly<Record<string, string>> = {
  ':)': 'smile',
  '(:': 'smile',
  ':(': 'frown',
  '<3': 'heart',
  ':|': 'expressionless',
  ':/': 'confused',
  ';)': 'wink',
  ':D': 'grinning',
  ':o': 'open_mouth',
  ':O': 'open_mouth',
  ':p': 'stuck_out_tongue',
  ':P': 'stuck_out_tongue',
};
const emoticon = /(?<!\S)(?::[)(|/DoOpP]|\(:|<3|;\))(?!\S)/g;

/** The core rule that renders emoticons between spaces as emoji, if the sender wishes it. */
export function emoticons(state: StateCore): void {
  if (!renderState(state.env).translatesEmoticons) return;
  for (const token of state.tokens)
    if (token.type === 'inline' && token.children)
      token.children = token.children.flatMap((child, at, all) =>
        child.type === 'text' ? split(state, child, [all[at - 1], all[at + 1]]) : [child],
      );
}

type Neighbours = readonly [before: Token | undefined, after: Token | undefined];

/** The start and the end of a line; the neighbour of a text is else formatting, a link or an emoji. */
const isLineEnd = (token: Token | undefined) => token === undefined || token.type.endsWith('break');

function split(state: StateCore, text: Token, [before, after]: Neighbours): Token[] {
  const { content } = text;
  const parts: Token[] = [];
  let end = 0;
  const push = (type: 'text' | 'emoji', value: string) => {
    const token = new state.Token(type, type === 'emoji' ? 'span' : '', 0);
    token.content = value;
    token.level = text.level;
    parts.push(token);
    return token;
  };
  for (const { 0: written, index } of content.matchAll(emoticon)) {
    const name = emojiNames[written] ?? '';
    const stop = index + written.length;
    if (index === 0 && !isLineEnd(before)) continue;
    if (stop === content.length && !isLineEnd(after)) continue;
    if (index > end) push('text', content.slice(end, index));
    Object.assign(push('emoji', name), { markup: written, meta: { code: emojiCodes.get(name) } });
    end = stop;
  }
  if (end === 0) return [text];
  if (end < content.length) push('text', content.slice(end));
  return parts;
}
