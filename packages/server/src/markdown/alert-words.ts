const word = /[\p{L}\p{M}\p{N}_]+/gu;
const isWordCharacter = /[\p{L}\p{M}\p{N}_]/u;

interface Phrase {
  text: string;
  /** Where the first word starts within the phrase. */
  offset: number;
}

/** The alert words of a realm, made ready for looking for all of them in one pass over a text. */
export interface AlertWords {
  /** The alert words found as whole words, in the spelling they were given in, each once. */
  foundIn(content: string): string[];
}

const standsAlone = (text: string, start: number, end: number) =>
  !(isWordCharacter.test(text.charAt(start - 1)) && isWordCharacter.test(text.charAt(start))) &&
  !(isWordCharacter.test(text.charAt(end - 1)) && isWordCharacter.test(text.charAt(end)));

/** Alert words match without regard to case. Make this once per realm and change, not per message. */
export function alertWordsOf(words: Iterable<string>): AlertWords {
  const byFirstWord = new Map<string, Phrase[]>();
  const spelling = new Map<string, string>();
  for (const given of words) {
    const text = given.trim().toLowerCase();
    const first = text.match(word)?.[0];
    if (first === undefined) continue;
    spelling.set(text, given);
    const phrases = byFirstWord.get(first) ?? [];
    phrases.push({ text, offset: text.indexOf(first) });
    byFirstWord.set(first, phrases);
  }
  return {
    foundIn(content) {
      if (byFirstWord.size === 0) return [];
      const text = content.toLowerCase();
      const found = new Set<string>();
      for (const match of text.matchAll(word)) {
        for (const phrase of byFirstWord.get(match[0]) ?? []) {
          const start = match.index - phrase.offset;
          const fits = text.startsWith(phrase.text, start);
          if (start >= 0 && fits && standsAlone(text, start, start + phrase.text.length)) {
            found.add(spelling.get(phrase.text) ?? phrase.text);
          }
        }
      }
      return [...found];
    },
  };
}
