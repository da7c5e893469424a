// A quote opens only at the start of a word and closes only at its end: don't stays one word.
const WORD = /(?:"([^"]*)"|'([^']*)'|“([^“”]*)”)(?=\s|$)|\S+/g;

/** The words of a text; words in double, single or curly quotes are kept together. */
export function splitWords(text: string): string[] {
  const trimmed = text.trim();
  if (trimmed === '') return [];
  if (!/["'“]/.test(trimmed)) return trimmed.split(/\s+/);
  return Array.from(
    trimmed.matchAll(WORD),
    ([word, double, single, curly]) => double ?? single ?? curly ?? word,
  );
}
