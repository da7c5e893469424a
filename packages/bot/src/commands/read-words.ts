import { invisibleEnd, plainForm, visibleText } from '@bellhop/protocol/plain';

import { fenceAt } from './fence.ts';
import { linkAt } from './markdown-link.ts';
import { isSpace, lineEnd, spaceEnd, wordEnd } from './word-bounds.ts';

/** A word as the user typed it. `start` and `end` count UTF-16 units of the whole text. */
export interface Word {
  /** The word without surrounding quotes; one without quotes also without invisible characters at its edges. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Whether the word is in quotes, a code span or a fence. Such a word is never a flag. */
  readonly quoted: boolean;
  /** For a word that looks like a flag: its name, as `--force` or `-f`, and the value after `=`. */
  readonly flag: { readonly name: string; readonly value: string | undefined } | undefined;
}

interface WordValue {
  readonly text: string;
  readonly end: number;
  readonly quoted: boolean;
}

// Phones replace two hyphens by one long dash.
const FLAG = /([\p{Pd}−]+)(\p{L}[^\s=＝]*)([=＝]?)/uy;
const HYPHEN = /^[-‐‑−－﹣]$/;

const CLOSING_QUOTES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ['“', '”'],
  ['”', '”'],
  ['„', '“”'],
  ['‘', '’'],
  ['‚', '‘’'],
  ['«', '»'],
  ['»', '«»'],
  ['‹', '›'],
  ['›', '‹›'],
  ['‛', '’'],
  ['‟', '”'],
  ['⹂', '”‟'],
  ['「', '」'],
  ['『', '』'],
  ['｢', '｣'],
  ['﹁', '﹂'],
  ['﹃', '﹄'],
  ['〝', '〞〟'],
  ['＂', '＂'],
  ['＇', '＇'],
]);

/**
 * Splits a text into words. A quoted text, a code span, a fence with its lines, a mention (`@**Ann Lee**`, `#**a channel**`)
 * or a Markdown link is one word. A quote opens only at the start of a word and closes only at the
 * end of one: "don't" is one word. A backslash escapes a quote. In lines quoted by `>` nothing has a
 * meaning: they are what somebody else has said.
 */
export function readWords(text: string): Word[] {
  const words: Word[] = [];
  let lineStop = 0;
  let isQuotation = false;
  for (let start = spaceEnd(text, 0); start < text.length;) {
    if (start >= lineStop) {
      isQuotation = isQuotedLine(text, start);
      lineStop = lineEnd(text, start);
    }
    const isText = isQuotation || isPlain(text.charCodeAt(start));
    const word = isText ? plainAt(text, start) : wordAt(text, start);
    // A word of invisible characters alone was not typed on purpose.
    if (word.quoted || plainForm(word.text) !== '') words.push(word);
    start = spaceEnd(text, word.end);
  }
  return words;
}

/** Whether a line is quoted. The first one follows the name of a command: it is if the next one is. */
function isQuotedLine(text: string, start: number): boolean {
  if (text.charAt(start) !== '>') return false;
  const lineStart = text.lastIndexOf('\n', start) + 1;
  if (text.slice(lineStart, start).trim() !== '') return false;
  return lineStart > 0 || /^[^\S\n]*>/.test(text.slice(lineEnd(text, start) + 1));
}

// Fast path: a word that starts with an ASCII letter or digit has no quotes, flag or link.
const isPlain = (code: number) =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);

function plainAt(text: string, start: number): Word {
  const end = wordEnd(text, start);
  return { text: visibleText(text.slice(start, end)), start, end, quoted: false, flag: undefined };
}

function wordAt(text: string, start: number): Word {
  const visibleStart = invisibleEnd(text, start);
  const flag = flagAt(text, visibleStart);
  if (flag !== undefined) return { ...flag, start };
  const { text: inner, end, quoted } = valueAt(text, visibleStart);
  return { text: inner, start, end, quoted, flag: undefined };
}

function flagAt(text: string, start: number): Word | undefined {
  FLAG.lastIndex = start;
  const match = FLAG.exec(text);
  if (match === null) return undefined;
  const [whole, dashes = '', word = '', equals] = match;
  const letters = plainForm(word);
  const name = HYPHEN.test(dashes) ? `-${letters}` : `--${letters.toLowerCase()}`;
  const end = start + whole.length;
  if (equals === '') {
    return { text: whole, start, end, quoted: false, flag: { name, value: undefined } };
  }
  const value = valueAt(text, end);
  return {
    text: text.slice(start, value.end),
    start,
    end: value.end,
    quoted: false,
    flag: { name, value: value.text },
  };
}

function valueAt(text: string, start: number): WordValue {
  const fence = fenceAt(text, start);
  const block = fence?.isDoubtful ? (codeAt(text, start) ?? fence) : (fence ?? codeAt(text, start));
  const special = quotedAt(text, start) ?? block;
  if (special !== undefined) {
    let specialEnd = invisibleEnd(text, special.end);
    // People separate what they quote by commas, as in `"a b", "c d"`.
    if (isSeparator(text.charAt(specialEnd))) specialEnd = invisibleEnd(text, specialEnd + 1);
    if (endsAt(text, specialEnd)) return { text: special.text, end: specialEnd, quoted: true };
  }
  const end = wordEnd(text, mentionEnd(text, start) ?? linkAt(text, start)?.end ?? start);
  return { text: visibleText(text.slice(start, end)), end, quoted: false };
}

// Each scan stops at the next character that could open the same construct. This keeps the time of
// all scans together linear in the length of the text.
function quotedAt(text: string, start: number) {
  const open = text.charAt(start);
  const closers = CLOSING_QUOTES.get(open);
  if (closers === undefined) return undefined;
  let inner = '';
  let from = start + 1;
  for (let at = from; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '\\' && isEscaped(text.charAt(at + 1), open + closers)) {
      inner += text.slice(from, at);
      from = at + 1;
      at += 1;
    } else if (closers.includes(character) && !isApostrophe(text, at)) {
      return { text: inner + text.slice(from, at), end: at + 1 };
    } else if (character === open && open !== closers) return undefined;
  }
  return undefined;
}

const isEscaped = (character: string, quotes: string) =>
  character !== '' && (character === '\\' || quotes.includes(character));

const isApostrophe = (text: string, at: number) =>
  /['’＇]/.test(text.charAt(at)) &&
  /\p{L}/u.test(text.charAt(at - 1)) &&
  /\p{L}/u.test(text.charAt(at + 1));

const TICKS = /`+/y;

function codeAt(text: string, start: number) {
  TICKS.lastIndex = start;
  const ticks = TICKS.exec(text)?.[0];
  if (ticks === undefined) return undefined;
  const from = start + ticks.length;
  const close = text.indexOf('`', from);
  if (close < 0 || !text.startsWith(ticks, close) || text.charAt(close + ticks.length) === '`') {
    return undefined;
  }
  const inner = text.slice(from, close);
  return {
    text: /^ .*\S.* $/s.test(inner) ? inner.slice(1, -1) : inner,
    end: close + ticks.length,
  };
}

function mentionEnd(text: string, start: number): number | undefined {
  const opening = ['@**', '@_**', '#**'].find((character) => text.startsWith(character, start));
  if (opening === undefined) return undefined;
  const close = text.indexOf('*', start + opening.length);
  return text.startsWith('**', close) && close > 0 ? close + 2 : undefined;
}

/** Whether a character separates the items of a list. */
export const isSeparator = (character: string): boolean => /^[,;，、；،؛]$/.test(character);

const endsAt = (text: string, at: number) => at >= text.length || isSpace(text.charCodeAt(at));
