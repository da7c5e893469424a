/** The end of the white space that starts at `start`. */
export function spaceEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length && isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

/** The end of the word that starts at `start`. */
export function wordEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length && !isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

/** The end of the line that a place is in. */
export function lineEnd(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end < 0 ? text.length : end;
}

/** Whether a UTF-16 unit matches `\s`, except U+FEFF, which is invisible and ends no word. */
export function isSpace(code: number): boolean {
  if (code < 128) return code === 32 || (code >= 9 && code <= 13);
  return code >= 160 && code !== 0xfeff && /\s/.test(String.fromCharCode(code));
}
