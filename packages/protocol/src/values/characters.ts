/** The length of a text in Unicode characters (code points), as its limits count. */
export const characterCount = (text: string): number => Array.from(text).length;

/** A text of at most `most` characters; a longer one is cut and ends with `ending`. */
export function cutText(text: string, most: number, ending = ''): string {
  // A text has at least as many code units as characters.
  if (text.length <= most) return text;
  const characters = Array.from(text);
  if (characters.length <= most) return text;
  return characters.slice(0, most - characterCount(ending)).join('') + ending;
}
