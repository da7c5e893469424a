import { cutEnd, cutStart, displayWidth } from './display-width.ts';

/** A place in a text, in UTF-16 units; an empty one points at the gap. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The line a place is in, and a second line with carets under the place. */
export function pointAt(text: string, { start, end }: Span): string {
  const before = /[^\n\r]*$/.exec(text.slice(Math.max(0, start - 400), start))?.[0] ?? '';
  const place = lineStart(text.slice(start, Math.min(end, start + 400)));
  const after = lineStart(text.slice(start + place.length, start + place.length + 400));
  const left = cutStart(tidy(before), 50);
  const marked = cutEnd(tidy(place), 50);
  const carets = '^'.repeat(Math.max(1, displayWidth(marked)));
  const line = (left + marked + cutEnd(tidy(after), 30)).trimEnd();
  return `${line}\n${' '.repeat(displayWidth(left))}${carets}`;
}

const lineStart = (text: string) => /^[^\n\r]*/.exec(text)?.[0] ?? '';

// Tabs and marks that turn the direction of writing would move what stands above the carets.
const tidy = (text: string) =>
  text
    .toWellFormed()
    .replaceAll(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .replaceAll(/[\p{Cc}\u2028\u2029]/gu, ' ');
