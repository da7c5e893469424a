const superscripts = /[^\u00b2\u00b3\u00b9\u2070-\u209c]+/g;
const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}]|(?!\s)\p{Cc}/gu;
const dashes = /[\p{Pd}\u2212]/gu;
const foreignDigits = /(?!\d)\p{Nd}/gu;

/**
 * The form in which words that people type are compared and read. Keyboards, phones and clipboards
 * spell the same word in many ways: this form has no invisible characters, NFKC instead of
 * full-width letters, one kind of dash, space and digit. Letter case stays. A superscript is no
 * digit, so that `5²` is not 52.
 */
export function plainForm(text: string): string {
  if (/^[!-~]*$/.test(text)) return text;
  return text
    .replaceAll(superscripts, (part) => part.normalize('NFKC'))
    .replaceAll(invisible, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(dashes, '-')
    .replaceAll('٫', '.')
    .replaceAll(foreignDigits, decimalDigit)
    .trim();
}

/** The plain form in lower case: texts of the same key are the same word. */
export const wordKey = (text: string): string => plainForm(text).toLowerCase();

/** Unicode has the digits of each script in a run from zero to nine. */
function decimalDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (/^\p{Nd}$/u.test(String.fromCodePoint(code - before - 1))) before += 1;
  return String(before % 10);
}

/** Invisible characters. At the end of a word those stay that may belong to an emoji. */
const AT_START = String.raw`[[\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}]--[\t-\r]]`;
const AT_END = String.raw`[[\p{Cf}\p{Cc}]--[\t-\r\u{e0020}-\u{e007f}]]`;
const leading = new RegExp(`${AT_START}*`, 'vy');
const edges = new RegExp(String.raw`^[\s${AT_START}]+|(?<![\s${AT_END}])[\s${AT_END}]+$`, 'gv');

/** The end of the invisible characters that start at `start`. */
export function invisibleEnd(text: string, start: number): number {
  if (start >= text.length || text.charCodeAt(start) < 128) return start;
  leading.lastIndex = start;
  return leading.test(text) ? leading.lastIndex : start;
}

/** The text without white space and invisible characters at its edges. Keeps emoji whole. */
export function visibleText(text: string): string {
  const isAscii = text.charCodeAt(0) < 128 && text.charCodeAt(text.length - 1) < 128;
  return isAscii ? text.trim() : text.replaceAll(edges, '');
}
