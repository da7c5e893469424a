import { closeInline, type Closing } from './close-inline.ts';
import { openBlocks, type OpenFence, type OpenParagraph } from './open-blocks.ts';

/**
 * Closes the open constructs of a partial Markdown text, so that it renders: fences (code, quote,
 * spoiler, math), inline code and math, bold, italic, strikethrough, link brackets, and the row or
 * delimiter row of a table. The result begins with the text. Cut from the end of the text are a marker
 * with nothing after it, white space before a closing marker, an unfinished mention, time or link
 * address, and a last line that is only the beginning of a fence or of a delimiter row.
 */
export function closeMarkdown(partial: string): string {
  const { keep, closers } = closingOf(partial);
  return partial.slice(0, keep) + closers;
}

/** How much of a partial text to keep, and the closers to append. */
export function closingOf(text: string): Closing {
  const { fences, paragraph, unfinished } = openBlocks(text);
  if (unfinished?.opensFence) return closingOf(text.slice(0, unfinished.start));
  if (unfinished && isDangling(text.slice(unfinished.start), fences.at(-1)))
    return closingOf(text.slice(0, unfinished.start));
  if (!paragraph) return closeFences(text, text.length, fences);
  const { keep, closers } = closeParagraph(text, paragraph);
  if (closers === '' && keep < text.length && isDangling(lastLineOf(text, keep), fences.at(-1)))
    return closingOf(text.slice(0, text.lastIndexOf('\n', keep - 1) + 1));
  if (closers === '') return closeFences(text, keep, fences);
  const after = fenceClosers(fences);
  return { keep, closers: closers + (after && `\n${after}`) };
}

function closeFences(text: string, keep: number, fences: readonly OpenFence[]): Closing {
  const closers = fenceClosers(fences);
  const lineBreak = closers !== '' && keep > 0 && text[keep - 1] !== '\n' ? '\n' : '';
  return { keep, closers: lineBreak + closers };
}

const fenceClosers = (fences: readonly OpenFence[]) =>
  fences
    .map(({ closing }) => closing)
    .toReversed()
    .join('\n');

/** Whether a line is only the beginning of a marker: a fence, a rule, a list item or a heading. */
function isDangling(line: string, fence: OpenFence | undefined): boolean {
  const content = line.replace(/^(?:[ \t]*>)*[ \t]*/, '').trimEnd();
  if (content === '') return false;
  if (fence && !fence.holdsBlocks)
    return content.length < fence.length && content === fence.mark.repeat(content.length);
  return /^(?:[-=+#_]+|`{1,2}|~{1,2}|\*+)$/.test(content);
}

function closeParagraph(text: string, paragraph: OpenParagraph): Closing {
  const { start, lastLine, lines } = paragraph;
  const header = lineAt(text, start);
  if (!/^[\s>]*\|/.test(header)) return closeInline(text, start);
  const lineEnded = text.endsWith('\n');
  if (lines === 1 && lineEnded) {
    const delimiterRow = delimiterRowOf(header);
    return { keep: text.length, closers: delimiterRow ?? '' };
  }
  if (lines === 2 && /^[\s>|:-]+$/.test(lineAt(text, lastLine))) {
    const complete = columns(lineAt(text, lastLine)) === columns(header);
    const delimiterRow = delimiterRowOf(header);
    if (!delimiterRow || (complete && lineAt(text, lastLine).trimEnd().endsWith('|')))
      return { keep: text.length, closers: '' };
    return { keep: lastLine, closers: delimiterRow };
  }
  if (lineEnded) return { keep: text.length, closers: '' };
  const cell = text.lastIndexOf('|') + 1;
  const { keep, closers } = closeInline(text, Math.max(cell, lastLine));
  if (lines > 2 && /^[\s>|]*$/.test(text.slice(lastLine, keep)))
    return { keep: lastLine, closers: '' };
  const isRow = lines > 2 && text.slice(cell, keep).trim() !== '';
  return { keep, closers: isRow ? `${closers} |` : closers };
}

const lineAt = (text: string, start: number) => {
  const end = text.indexOf('\n', start);
  return text.slice(start, end < 0 ? text.length : end);
};

const lastLineOf = (text: string, end: number) =>
  text.slice(text.lastIndexOf('\n', end - 1) + 1, end);

const columns = (row: string) => row.split('|').length - 2;

/** The delimiter row of a table; undefined if the line is no header row. */
function delimiterRowOf(header: string): string | undefined {
  const count = columns(header);
  if (count < 1 || !header.trimEnd().endsWith('|')) return undefined;
  const prefix = /^[\s>]*/.exec(header)?.[0] ?? '';
  return `${prefix}|${' --- |'.repeat(count)}`;
}
