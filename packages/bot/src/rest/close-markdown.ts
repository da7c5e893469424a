import { openBlocks, type OpenFence, type OpenParagraph } from './open-blocks.ts';
import { type Closing, openInline } from './open-inline.ts';

/**
 * Closes what a partial Markdown text leaves open, so that it can be shown as it is: fences (code,
 * quote, spoiler, math), inline code and math, bold, italic, struck out, brackets of links, and the
 * row or the ruler of a table. The answer begins with the text, less what means nothing yet: a marker
 * with nothing behind it and white space before a closing marker; an unfinished mention, time or
 * address of a link; a last line that has only begun to open or close a fence or to rule a table.
 */
export function closeMarkdown(partial: string): string {
  const { keep, closers } = closingOf(partial);
  return partial.slice(0, keep) + closers;
}

/** How much of a partial text to keep, and what to write behind that. */
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
  const apart = closers !== '' && keep > 0 && text[keep - 1] !== '\n' ? '\n' : '';
  return { keep, closers: apart + closers };
}

const fenceClosers = (fences: readonly OpenFence[]) =>
  fences
    .map(({ closing }) => closing)
    .toReversed()
    .join('\n');

/** Whether the last line is only the beginning of a marker: of a fence, a rule, a list, a heading. */
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
  if (!/^[\s>]*\|/.test(header)) return openInline(text, start);
  const ended = text.endsWith('\n');
  if (lines === 1 && ended) {
    const ruler = rulerOf(header);
    return { keep: text.length, closers: ruler ?? '' };
  }
  if (lines === 2 && /^[\s>|:-]+$/.test(lineAt(text, lastLine))) {
    const complete = columns(lineAt(text, lastLine)) === columns(header);
    const ruler = rulerOf(header);
    if (!ruler || (complete && lineAt(text, lastLine).trimEnd().endsWith('|')))
      return { keep: text.length, closers: '' };
    return { keep: lastLine, closers: ruler };
  }
  if (ended) return { keep: text.length, closers: '' };
  const cell = text.lastIndexOf('|') + 1;
  const { keep, closers } = openInline(text, Math.max(cell, lastLine));
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

/** The second line of a table; undefined where the first cannot be one. */
function rulerOf(header: string): string | undefined {
  const count = columns(header);
  if (count < 1 || !header.trimEnd().endsWith('|')) return undefined;
  const prefix = /^[\s>]*/.exec(header)?.[0] ?? '';
  return `${prefix}|${' --- |'.repeat(count)}`;
}
