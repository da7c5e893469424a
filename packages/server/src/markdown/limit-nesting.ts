import type { MarkdownIt, StateBlock, StateCore, Token } from 'markdown-it';

import { renderState } from './render-state.ts';

/** Quotes, lists and emphasis deeper than this stay as they were written. */
const maxNesting = 20;

/** A row may leave out cells, so the cells of a table can outnumber the characters of its text. */
const maxCells = 5000;

type BlockRule = (state: StateBlock, start: number, end: number, silent: boolean) => boolean;

export const mayNest = (state: StateBlock) =>
  renderState(state.env).outerLevel + state.level < maxNesting;

function isSmallTable(state: StateBlock, start: number, end: number): boolean {
  const header = state.src.slice(state.bMarks[start], state.eMarks[start]);
  return header.split('|').length * (end - start) <= maxCells;
}

/** Lets a block rule run only where it may; its text then falls to the rules after it. */
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
  /** What is left of a tag beyond the limit. */
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
    // The parser makes a link of an address within the text of a link.
    limitTags(children, { of: link, depth: 1, textOf: () => '' });
  }
}

/**
 * Bounds what hostile text can make of a page. The parser's own limit would drop the text beyond
 * it; here it stays, unformatted.
 */
export function limitNesting(md: MarkdownIt): void {
  guard(md, 'blockquote', mayNest);
  guard(md, 'list', mayNest);
  guard(md, 'table', isSmallTable);
  md.core.ruler.push('limit_nesting', limitInline);
}
