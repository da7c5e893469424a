import { characterCount } from '@bellhop/protocol';

const ELLIPSIS = '…';
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The bytes of a text in a JSON document, without the quotes. */
const jsonBytes = (text: string): number => Buffer.byteLength(JSON.stringify(text)) - 2;

/**
 * Cuts a text so that it takes at most `maxBytes` in a JSON document, and after at most `maxCharacters`
 * (code points). Cuts between characters as a reader sees them, and ends the text with an ellipsis
 * then, which does not count among the characters.
 */
export function cutText(text: string, maxBytes: number, maxCharacters = Infinity): string {
  const isShort = text.length <= maxCharacters || characterCount(text) <= maxCharacters;
  if (isShort && text.length <= maxBytes && jsonBytes(text) <= maxBytes) return text;
  const room = maxBytes - jsonBytes(ELLIPSIS);
  if (room < 0) return '';
  let length = 0;
  let bytes = 0;
  let characters = 0;
  // A longer start of the text cannot fit, and need not be divided into characters.
  for (const { segment } of graphemes.segment(text.slice(0, room + 1))) {
    bytes += jsonBytes(segment);
    characters += characterCount(segment);
    if (bytes > room || characters > maxCharacters) break;
    length += segment.length;
  }
  return text.slice(0, length).trimEnd() + ELLIPSIS;
}

/** The first `maxLength` UTF-16 units of a text from outside, on one line: storable, without control characters. */
export const oneLine = (text: string, maxLength: number): string =>
  text
    .slice(0, maxLength)
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
