const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

// Halfwidth forms are narrow although their scripts are wide.
const HALF = /^[\uff61-\uffdc]/;
const WIDE =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|\ufe0f/u;
const ZERO = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;

/**
 * The width of a text in columns of a monospaced font. Wide characters and emoji take two. `string-width`
 * knows rarer scripts; it would add 50 ms of processor time to each start of a bot.
 */
export function displayWidth(text: string): number {
  if (isNarrow(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += columnsOf(segment);
  return width;
}

/** The first `columns` columns of a text. An ellipsis marks a cut. */
export function cutEnd(text: string, columns: number): string {
  const pieces = segmentsOf(text.slice(0, columns * 8));
  const kept = takeWhileFits(pieces, columns);
  return kept.length === pieces.length && text.length <= columns * 8 ? text : `${kept.join('')}…`;
}

/** The last `columns` columns of a text. An ellipsis marks a cut. */
export function cutStart(text: string, columns: number): string {
  const pieces = segmentsOf(text.slice(-columns * 8)).toReversed();
  const kept = takeWhileFits(pieces, columns);
  if (kept.length === pieces.length && text.length <= columns * 8) return text;
  return `…${kept.toReversed().join('')}`;
}

// Segmenting into graphemes is slow. In printable ASCII every character is one narrow grapheme.
const isNarrow = (text: string) => /^[ -~]*$/.test(text);

const segmentsOf = (text: string) =>
  isNarrow(text)
    ? text.split('')
    : Array.from(graphemes.segment(text.toWellFormed()), ({ segment }) => segment);

function takeWhileFits(pieces: readonly string[], columns: number): readonly string[] {
  let width = 0;
  const end = pieces.findIndex((piece) => (width += columnsOf(piece)) > columns);
  return end < 0 ? pieces : pieces.slice(0, end);
}

function columnsOf(grapheme: string): number {
  if (grapheme.length === 1 && grapheme >= ' ' && grapheme <= '~') return 1;
  if (ZERO.test(grapheme)) return 0;
  return WIDE.test(grapheme) && !HALF.test(grapheme) ? 2 : 1;
}
