import { cutEnd, cutStart, displayWidth } from './display-width.ts';

/** A range of a text in UTF-16 units. An empty range stands for missing text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The line that holds a span, and a second line with carets under the span. */
export function pointAt(text: string, { start, end }: Span): string {
  const before = /[^\n\r]*$/.exec(text.slice(Math.max(0, start - 400), start))?.[0] ?? '';
  const marked = lineStart(text.slice(start, Math.min(end, start + 400)));
  const after = lineStart(text.slice(start + marked.length, start + marked.length + 400));
  const left = cutStart(tidy(before), 50);
  const middle = cutEnd(tidy(marked), 50);
  const carets = '^'.repeat(Math.max(1, displayWidth(middle)));
  const line = (left + middle + cutEnd(tidy(after), 30)).trimEnd();
  return `${line}\n${' '.repeat(displayWidth(left))}${carets}`;
}

const lineStart = (text: string) => /^[^\n\r]*/.exec(text)?.[0] ?? '';

// Tabs and direction marks would shift the text above the carets.
const tidy = (text: string) =>
  text
    .toWellFormed()
    .replaceAll(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .replaceAll(/[\p{Cc}\u2028\u2029]/gu, ' ');
