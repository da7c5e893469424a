import { stripVTControlCharacters } from 'node:util';

/**
 * Text of other people as a terminal may show it: without escape sequences, which could move the cursor,
 * change colours or write to the clipboard, and without characters that reverse the order of the rest.
 * Line breaks and tabs stay.
 */
export const terminalText = (text: string): string =>
  stripVTControlCharacters(text).replace(/(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu, '');

/** Escapes a text like `terminalText`, on one line. */
export const terminalLine = (text: string): string => terminalText(text).replace(/[\n\t]+/g, ' ');
