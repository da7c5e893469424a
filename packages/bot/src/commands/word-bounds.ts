/** Where the white space at a place of a text ends. */
export function spaceEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length && isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

/** Where the signs at a place of a text end that are no white space. */
export function wordEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length && !isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

/** Whether a UTF-16 unit is white space, as `\s` has it. */
export function isSpace(code: number): boolean {
  if (code < 128) return code === 32 || (code >= 9 && code <= 13);
  return code >= 160 && /\s/.test(String.fromCharCode(code));
}
