import type { StateCore, Token } from 'markdown-it';

import { emojiCodes } from '../emoji/emoji-table.ts';
import { renderState } from './render-state.ts';
import { withEmoji } from './with-emoji.ts';

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
        child.type === 'text'
          ? withEmoji(state, child, emoticonsIn(child, [all[at - 1], all[at + 1]]))
          : [child],
      );
}

type Neighbours = readonly [before: Token | undefined, after: Token | undefined];

/**
 * The start and the end of a line. Any other neighbour of a text is formatting, a link or an
 * emoji.
 */
const isLineEnd = (token: Token | undefined) => token === undefined || token.type.endsWith('break');

function emoticonsIn({ content }: Token, [before, after]: Neighbours) {
  return [...content.matchAll(emoticon)].flatMap(({ 0: markup, index }) => {
    if (index === 0 && !isLineEnd(before)) return [];
    if (index + markup.length === content.length && !isLineEnd(after)) return [];
    const name = emojiNames[markup] ?? '';
    return [{ index, markup, name, code: emojiCodes().get(name) }];
  });
}
