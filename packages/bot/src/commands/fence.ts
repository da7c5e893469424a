import { visibleText } from '@bellhop/protocol/plain';

import { lineEnd } from './word-bounds.ts';

interface Fence {
  readonly marker: string;
  readonly length: number;
  readonly info: string;
}

/** The fence that a line begins with. Backticks after it make the line a code span. */
function fenceIn(line: string): Fence | undefined {
  const [, fence, info = ''] = /^\s*(`{3,}|~{3,})([^\n]*)$/.exec(line) ?? [];
  const marker = fence?.charAt(0);
  if (fence === undefined || marker === undefined || (marker === '`' && info.includes('`')))
    return undefined;
  return { marker, length: fence.length, info: info.trim() };
}

const closes = (line: Fence, open: Fence) =>
  line.info === '' && line.marker === open.marker && line.length >= open.length;

/** Quotes and spoilers hold blocks of their own. */
const holdsBlocks = ({ info }: Fence) => /^(?:quote|spoiler)(?:\s|$)/.test(info);

/**
 * The fenced block at a place of a text: the lines between the fences of code, and all lines of a quote
 * or spoiler, which may contain other fences. A block without a closing fence ends with the text, and
 * `isDoubtful` if it begins within a line.
 */
export function fenceAt(text: string, start: number): BlockAt | undefined {
  if (!text.startsWith('```', start) && !text.startsWith('~~~', start)) return undefined;
  const firstEnd = lineEnd(text, start);
  const opened = fenceIn(text.slice(start, firstEnd));
  if (opened === undefined || firstEnd === text.length) return undefined;
  const before = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  const open = [opened];
  for (let at = firstEnd + 1; at <= text.length;) {
    const end = lineEnd(text, at);
    const line = text.slice(at, end);
    const innermost = open.at(-1);
    const fence = fenceIn(line);
    if (fence !== undefined && innermost !== undefined) {
      if (closes(fence, innermost)) open.pop();
      else if (holdsBlocks(innermost)) open.push(fence);
      if (open.length === 0) {
        const closeEnd = at + line.trimEnd().length;
        const inner = text.slice(firstEnd + 1, Math.max(at - 1, firstEnd + 1));
        return block(opened, { inner, whole: text.slice(start, closeEnd), before, end: closeEnd });
      }
    }
    at = end + 1;
  }
  const inner = text.slice(firstEnd + 1);
  const rest = block(opened, { inner, whole: text.slice(start), before, end: text.length });
  return { ...rest, isDoubtful: start > 0 && visibleText(before) !== '' };
}

interface BlockAt {
  readonly text: string;
  readonly end: number;
  /** Whether it may be no block: nothing closes it, and it begins within a line. */
  readonly isDoubtful?: boolean;
}

interface BlockText {
  readonly inner: string;
  readonly whole: string;
  /** The text before the fence, on its line. */
  readonly before: string;
  readonly end: number;
}

function block(fence: Fence, { inner, whole, before, end }: BlockText): BlockAt {
  if (holdsBlocks(fence)) return { text: whole, end };
  const indent = before.trim() === '' ? before.length : 0;
  const lines = inner.replaceAll(/\r(?=\n|$)/g, '');
  return { text: indent === 0 ? lines : lines.replaceAll(indented(indent), ''), end };
}

const indented = (spaces: number) => new RegExp(`^ {1,${spaces}}`, 'gm');
