import type { MarkdownIt, StateBlock, StateCore, Token } from 'markdown-it';

import { renderState } from './render-state.ts';

/** Quotes, lists and emphasis below this level stay as written. */
const maxNesting = 20;

/** Maximum of table cells in a message: rows may omit cells, so a short text can have very many. */
const maxCells = 5000;

type BlockRule = (state: StateBlock, start: number, end: number, silent: boolean) => boolean;

export const mayNest = (state: StateBlock) =>
  renderState(state.env).outerLevel + state.level < maxNesting;

function isSmallTable(state: StateBlock, start: number, end: number): boolean {
  const header = state.src.slice(state.bMarks[start], state.eMarks[start]);
  return header.split('|').length * (end - start) <= maxCells;
}

/** Runs a block rule only if `mayRun` is true; otherwise the next rules parse the text. */
function guard(md: MarkdownIt, name: string, mayRun: (...args: Parameters<BlockRule>) => boolean) {
  const { ruler } = md.block;
  const entry = ruler.__rules__[ruler.__find__(name)];
  if (!entry) throw new Error(`The Markdown parser has no rule ${name}.`);
  const rule: BlockRule = entry.fn;
  const guarded: BlockRule = (...args) => mayRun(...args) && rule(...args);
  ruler.at(name, guarded, { alt: entry.alt });
}

const emphasis = /^(?:em|strong|s)_/;
const link = /^link_/;

function toText(token: Token, text: string): void {
  token.type = 'text';
  token.tag = '';
  token.nesting = 0;
  token.content = text;
}

interface Limit {
  of: RegExp;
  depth: number;
  /** The text that replaces a tag beyond the limit. */
  textOf: (token: Token) => string;
}

function limitTags(tokens: readonly Token[], limit: Limit): void {
  let depth = 0;
  for (const token of tokens) {
    if (!limit.of.test(token.type)) continue;
    if (token.nesting === 1) depth += 1;
    const level = depth;
    if (token.nesting === -1) depth -= 1;
    if (level > limit.depth) toText(token, limit.textOf(token));
  }
}

function limitInline(state: StateCore): void {
  for (const { children } of state.tokens) {
    if (!children || children.length < 5) continue;
    limitTags(children, { of: emphasis, depth: maxNesting, textOf: ({ markup }) => markup });
    // linkify makes links within the text of a link.
    limitTags(children, { of: link, depth: 1, textOf: () => '' });
  }
}

/**
 * Limits nesting, so that hostile text renders in bounded size. The parser's own limit drops the text
 * beyond it; this one keeps it, unformatted.
 */
export function limitNesting(md: MarkdownIt): void {
  guard(md, 'blockquote', mayNest);
  guard(md, 'list', mayNest);
  guard(md, 'table', isSmallTable);
  md.core.ruler.push('limit_nesting', limitInline);
}
