/** How much of a partial text to keep, and the closing marks to append. */
export interface Closing {
  readonly keep: number;
  readonly closers: string;
}

interface OpenMark {
  readonly marker: '**' | '*' | '~~' | '[';
  readonly at: number;
}

interface Scan {
  readonly text: string;
  /** Innermost last. Emphasis outside a bracket does not close inside it. */
  readonly open: OpenMark[];
  /** Offset after the last text with an effect; only marks without effect follow it. */
  effectiveEnd: number;
}

/** Deeper than servers render. Marks nested deeper are not closed. */
const MAX_OPEN_MARKS = 50;

/** The longest link address that is read, so that time stays linear. */
const MAX_ADDRESS_LENGTH = 1000;

const completeMention = /@_?\*\*[^*\n]{1,200}\*\*|@_?\*[^*\n]{1,200}\*|#\*\*[^*\n]{1,200}\*\*/y;
const partialMention = /(?:@_?(?:\*\*?[^*\n]*\*?)?|#(?:\*|\*\*[^*\n]*\*?)?)$/y;
const partialTime = /<time:[^<>\n]*$/y;

/**
 * Closes the inline constructs that are open at the end of the paragraph or cell that begins at
 * `from`. Cuts a marker with nothing after it, white space before a closing marker, and an unfinished
 * mention, time or link address: half a name may be the name of another user.
 *
 * Not by remend 1.4: it counts the marks of each kind, so that marks inside others are closed in the
 * wrong order (those of `**bold *both`), and it does not tell how much of the text it has kept.
 */
export function closeInline(text: string, from: number): Closing {
  const scan: Scan = { text, open: [], effectiveEnd: from };
  for (let at = from; at < text.length;) {
    const mark = text[at] === '*' || text[at] === '~';
    const step = mark ? emphasisAt(scan, at) : stepAt(scan, at);
    if (typeof step !== 'number') return finish(scan, step);
    at = step;
    if (!mark) scan.effectiveEnd = at;
  }
  return finish(scan, { keep: text.length, closers: '' });
}

/** Reads the construct at `at`: the offset after it, or the closing if the text ends inside it. */
function stepAt(scan: Scan, at: number): number | Closing {
  const { text } = scan;
  switch (text[at]) {
    case '`':
      return codeAt(text, at);
    case '$':
      return mathAt(text, at);
    case '@':
    case '#':
      return mentionAt(text, at);
    case '<':
      return matches(partialTime, text, at) ? { keep: at, closers: '' } : at + 1;
    case '[':
      push(scan, { marker: '[', at });
      return at + 1;
    case ']':
      return bracketAt(scan, at);
    default:
      return at + 1;
  }
}

function finish(
  { text, open, effectiveEnd }: Scan,
  { keep: cut, closers: first }: Closing,
): Closing {
  let keep = first === '' && cut < text.length ? Math.min(cut, effectiveEnd) : cut;
  while (first === '') {
    const top = open.at(-1);
    if (top === undefined) return { keep, closers: '' };
    keep = text.slice(0, keep).trimEnd().length;
    if (keep > top.at + top.marker.length) break;
    // Only white space follows the opening mark: the mark is cut.
    keep = Math.min(keep, top.at);
    open.pop();
  }
  const closers = open.map(({ marker }) => (marker === '[' ? ']' : marker)).toReversed();
  return { keep, closers: first + closers.join('') };
}

function codeAt(text: string, at: number): number | Closing {
  const length = runLength(text, at);
  const start = at + length;
  let end = start;
  for (let next = text.indexOf('`', start); next >= 0; next = text.indexOf('`', end)) {
    const run = runLength(text, next);
    end = next + run;
    if (run === length) return end;
    if (end < text.length) continue;
    // The run at the end of the text is the beginning of the closing run, or code.
    return run < length ? closeCode(text, [at, start, next]) : closeCode(text, [at, start, end]);
  }
  return closeCode(text, [at, start, text.length]);
}

function closeCode(text: string, [at, start, keep]: [number, number, number]): Closing {
  if (text.slice(start, keep).trim() === '') return { keep: at, closers: '' };
  const space = text[keep - 1] === '`' ? ' ' : '';
  return { keep, closers: space + '`'.repeat(start - at) };
}

function mathAt(text: string, at: number): number | Closing {
  if (at + 1 === text.length) return { keep: at, closers: '' };
  if (text[at + 1] !== '$' || /[$\w]/.test(text[at - 1] ?? ' ')) return at + 1;
  let end = at + 2;
  while (end < text.length && text[end] !== '$' && text[end] !== '\n') end++;
  if (text.startsWith('$$', end)) return end + 2;
  const partial = end === text.length || (text[end] === '$' && end + 1 === text.length);
  if (!partial) return at + 2;
  if (text.slice(at + 2, end).trim() === '') return { keep: at, closers: '' };
  return { keep: end, closers: '$$' };
}

function mentionAt(text: string, at: number): number | Closing {
  if (at > 0 && !/[\s'"({[/<]/.test(text[at - 1] ?? '')) return at + 1;
  const complete = matches(completeMention, text, at);
  if (complete) return at + complete.length;
  return matches(partialMention, text, at) ? { keep: at, closers: '' } : at + 1;
}

function bracketAt(scan: Scan, at: number): number | Closing {
  const { text, open } = scan;
  const opening = open.findLastIndex(({ marker }) => marker === '[');
  if (opening < 0) return at + 1;
  open.length = opening;
  scan.effectiveEnd = at + 1;
  if (text[at + 1] !== '(') return at + 1;
  let depth = 1;
  const limit = at + 2 + MAX_ADDRESS_LENGTH;
  for (let end = at + 2; end < limit; end++) {
    if (end >= text.length) return { keep: at + 1, closers: '' };
    if (text[end] === '\n') break;
    if (text[end] === '(') depth++;
    if (text[end] === ')' && --depth === 0) return end + 1;
  }
  return at + 1;
}

function emphasisAt(scan: Scan, at: number): number | Closing {
  const { text, open } = scan;
  const marker = text[at] === '*' ? '*' : '~';
  const end = at + runLength(text, at);
  let left = end - at;
  if (closesAt(text, at, end))
    while (left > 0) {
      const used = close(open, marker, left);
      if (used === 0) break;
      left -= used;
      scan.effectiveEnd = end - left;
    }
  if (left === 0) return end;
  // A run at the end of the text may open, close or be half of a longer run.
  if (end === text.length) return { keep: end - left, closers: '' };
  if (!opensAt(text, at, end)) return end;
  const pair = marker === '*' ? '**' : '~~';
  for (; left >= 2; left -= 2) push(scan, { marker: pair, at: end - left });
  if (left === 1 && marker === '*') push(scan, { marker, at: end - 1 });
  return end;
}

function push({ open }: Scan, mark: OpenMark): void {
  if (open.length < MAX_OPEN_MARKS) open.push(mark);
}

/** Closes the nearest construct that `count` marks can close. Returns how many marks it used. */
function close(open: OpenMark[], mark: '*' | '~', count: number): number {
  if (mark === '~') return count < 2 ? 0 : closeNearest(open, ['~~']);
  if (count === 1) return closeNearest(open, ['*']);
  // Two marks close a double mark before a single one.
  return (count === 2 ? closeNearest(open, ['**']) : 0) || closeNearest(open, ['**', '*']);
}

function closeNearest(open: OpenMark[], markers: readonly string[]): number {
  for (let index = open.length - 1; index >= 0; index--) {
    const marker = open[index]?.marker ?? '[';
    if (marker === '[') return 0;
    if (!markers.includes(marker)) continue;
    open.length = index;
    return marker.length;
  }
  return 0;
}

const isSpace = (char: string | undefined) => char === undefined || /\s/.test(char);
const isPunctuation = (char: string | undefined) =>
  char !== undefined && /[\p{P}\p{S}]/u.test(char);

function opensAt(text: string, at: number, end: number): boolean {
  const [before, after] = [text[at - 1], text[end]];
  if (isSpace(after)) return false;
  return !isPunctuation(after) || isSpace(before) || isPunctuation(before);
}

function closesAt(text: string, at: number, end: number): boolean {
  const [before, after] = [text[at - 1], text[end]];
  if (isSpace(before)) return false;
  return !isPunctuation(before) || isSpace(after) || isPunctuation(after);
}

function runLength(text: string, at: number): number {
  let end = at;
  while (text[end] === text[at]) end++;
  return end - at;
}

function matches(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}
