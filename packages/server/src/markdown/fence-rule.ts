import type { RendererRule, StateBlock } from 'markdown-it';

import { mayNest } from './limit-nesting.ts';
import { renderState } from './render-state.ts';

interface Fence {
  marker: string;
  length: number;
  info: string;
}

function fenceAt(state: StateBlock, line: number): Fence | undefined {
  const start = (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0);
  const first = state.src.charAt(start);
  if (first !== '`' && first !== '~') return undefined;
  if ((state.sCount[line] ?? 0) - state.blkIndent >= 4) return undefined;
  const match = /^(`{3,}|~{3,})(.*)$/.exec(state.src.slice(start, state.eMarks[line]));
  const [, fence = '', info = ''] = match ?? [];
  if (!match || (first === '`' && info.includes('`'))) return undefined;
  return { marker: first, length: fence.length, info: info.trim() };
}

const holdsBlocks = ({ info }: Fence) => /^(?:quote|spoiler)(?:\s|$)/.test(info);

const closes = (line: Fence, open: Fence) =>
  line.info === '' && line.marker === open.marker && line.length >= open.length;

/** The line that closes a fence; a quote or spoiler may contain fences of its own length. */
function closingLine(state: StateBlock, opened: Fence, [from, end]: [number, number]): number {
  const open = [opened];
  for (let line = from; line < end; line++) {
    if ((state.sCount[line] ?? 0) < state.blkIndent && !state.isEmpty(line)) return line;
    const fence = fenceAt(state, line);
    const innermost = open.at(-1);
    if (!fence || !innermost) continue;
    if (closes(fence, innermost)) open.pop();
    else if (holdsBlocks(innermost)) open.push(fence);
    if (open.length === 0) return line;
  }
  return end;
}

function pushBlocks(state: StateBlock, content: string): void {
  const render = renderState(state.env);
  const tokens: typeof state.tokens = [];
  const { outerLevel } = render;
  render.outerLevel += state.level;
  state.md.block.parse(content, state.md, state.env, tokens);
  render.outerLevel = outerLevel;
  for (const token of tokens) token.level += state.level;
  state.tokens.push(...tokens);
}

function pushParagraph(state: StateBlock, text: string): void {
  state.push('paragraph_open', 'p', 1);
  const inline = state.push('inline', '', 0);
  inline.content = text;
  inline.children = [];
  state.push('paragraph_close', 'p', -1);
}

function pushSpoiler(state: StateBlock, header: string, content: string): void {
  state.push('spoiler_open', 'div', 1);
  if (header !== '') pushParagraph(state, header);
  state.push('spoiler_content', 'div', 0);
  pushBlocks(state, content);
  state.push('spoiler_close', 'div', -1);
}

function pushQuote(state: StateBlock, content: string): void {
  state.push('blockquote_open', 'blockquote', 1);
  pushBlocks(state, content);
  state.push('blockquote_close', 'blockquote', -1);
}

/** The block rule for fences: code, quotes and spoilers. */
export function fenceRule(
  state: StateBlock,
  startLine: number,
  endLine: number,
  silent: boolean,
): boolean {
  const fence = fenceAt(state, startLine);
  if (!fence) return false;
  if (silent) return true;
  const close = closingLine(state, fence, [startLine + 1, endLine]);
  const content = state.getLines(startLine + 1, close, state.sCount[startLine] ?? 0, true);
  const closed = close < endLine && fenceAt(state, close) !== undefined;
  state.line = closed ? close + 1 : close;
  if (!holdsBlocks(fence) || !mayNest(state)) {
    const token = state.push('fence', 'code', 0);
    token.info = fence.info;
    token.content = content;
  } else if (fence.info.startsWith('quote')) pushQuote(state, content);
  else pushSpoiler(state, fence.info.slice('spoiler'.length).trim(), content);
  return true;
}

export const spoilerRules: Record<string, RendererRule> = {
  spoiler_open: () => '<div class="spoiler-block"><div class="spoiler-header">\n',
  spoiler_content: () => '</div><div class="spoiler-content" aria-hidden="true">\n',
  spoiler_close: () => '</div></div>\n',
};
