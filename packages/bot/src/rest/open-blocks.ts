/** A fence that is open at the end of a text. */
export interface OpenFence {
  /** The line that opened the fence; it reopens the fence in the next message. */
  readonly opening: string;
  /** The line that closes the fence. */
  readonly closing: string;
  readonly mark: string;
  readonly length: number;
  /** A spoiler or a quote: it holds Markdown, also fences as long as its own. */
  readonly holdsBlocks: boolean;
  /** The number of `>` quotes around the fence; the fence ends with them. */
  readonly quotes: number;
}

/** The paragraph or table that is open at the end of a text. */
export interface OpenParagraph {
  /** Offset of the first line. */
  readonly start: number;
  /** Offset of the last line. */
  lastLine: number;
  lines: number;
}

export interface OpenBlocks {
  /** Outermost first. */
  readonly fences: readonly OpenFence[];
  readonly paragraph: OpenParagraph | undefined;
  /** The last line, if no line break ends it. A fence that it opens is not in `fences`. */
  readonly unfinished: { readonly start: number; readonly opensFence: boolean } | undefined;
}

const fenceLine = /^((?:[ \t]*>)*[ \t]*)((?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})(.*)$/;
const blankLine = /^[\s>]*$/;
/** A heading or a thematic break: one line is a whole block. */
const singleLineBlock = /^[\s>]*(?:#{1,6}(?:\s|$)|(?:[-*_][ \t]*){3,}$)/;
const itemLine = /^[\s>]*(?:[-*+]|\d{1,9}[.)])\s/;

/** Finds the blocks that are open at the end of a text, in linear time. */
export function openBlocks(text: string): OpenBlocks {
  const fences: OpenFence[] = [];
  let paragraph: OpenParagraph | undefined;
  let start = 0;
  while (start < text.length) {
    const lineBreak = text.indexOf('\n', start);
    const end = lineBreak < 0 ? text.length : lineBreak;
    const line = text.slice(start, end);
    leaveQuotes(fences, line);
    const fence = fenceOf(line);
    const innermost = fences.at(-1);
    const inCode = innermost !== undefined && !innermost.holdsBlocks;
    const closesInnermost =
      fence !== undefined && innermost !== undefined && closes(fence, innermost);
    const opensFence = fence !== undefined && !closesInnermost && !inCode;
    if (lineBreak < 0 && opensFence)
      return { fences, paragraph, unfinished: { start, opensFence } };
    if (closesInnermost) {
      fences.pop();
      paragraph = undefined;
    } else if (inCode || fence) {
      if (opensFence) fences.push(fence);
      paragraph = undefined;
    } else paragraph = nextParagraph(paragraph, { line, start, ended: lineBreak >= 0 });
    if (lineBreak < 0) return { fences, paragraph, unfinished: { start, opensFence } };
    start = end + 1;
  }
  return { fences, paragraph, unfinished: undefined };
}

interface Line {
  readonly line: string;
  readonly start: number;
  readonly ended: boolean;
}

function nextParagraph(
  before: OpenParagraph | undefined,
  { line, start, ended }: Line,
): OpenParagraph | undefined {
  if (blankLine.test(line)) return undefined;
  if (singleLineBlock.test(line)) return ended ? undefined : { start, lastLine: start, lines: 1 };
  if (!before || itemLine.test(line)) return { start, lastLine: start, lines: 1 };
  before.lastLine = start;
  before.lines += 1;
  return before;
}

function leaveQuotes(fences: OpenFence[], line: string): void {
  const needed = fences.at(-1)?.quotes ?? 0;
  if (needed === 0) return;
  const depth = quoteDepth(/^(?:[ \t]*>)*/.exec(line)?.[0] ?? '');
  while ((fences.at(-1)?.quotes ?? 0) > depth) fences.pop();
}

const quoteDepth = (prefix: string) => prefix.split('>').length - 1;

function fenceOf(line: string): OpenFence | undefined {
  const [, prefix = '', item = '', fence = '', info = ''] = fenceLine.exec(line) ?? [];
  const mark = fence[0];
  if (mark === undefined || (mark === '`' && info.includes('`'))) return undefined;
  const indent = prefix + ' '.repeat(item.length);
  return {
    opening: indent + fence + info,
    closing: indent + fence,
    mark,
    length: fence.length,
    holdsBlocks: /^\s*(?:quote|spoiler)(?:\s|$)/.test(info),
    quotes: quoteDepth(prefix),
  };
}

const closes = (fence: OpenFence, open: OpenFence) =>
  fence.opening.trimEnd() === fence.closing &&
  fence.mark === open.mark &&
  fence.length >= open.length;
