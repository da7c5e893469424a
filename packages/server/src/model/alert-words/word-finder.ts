import { foldCase } from '@bellhop/protocol';

const LETTERS_AND_DIGITS = /[\p{L}\p{N}_]+/gu;

/** The characters by which the database looks up a word: as many as in its index. */
const BEGINNING = 3;

/** A text in which whole words are looked for. */
interface Scanned {
  /** In lower case, as its words are compared. */
  readonly text: string;
  /** Whether a letter or digit stands at an index. */
  readonly isInWord: (index: number) => boolean;
}

function scan(content: string): Scanned {
  const text = foldCase(content);
  const inWord = new Uint8Array(text.length);
  for (const { 0: run, index } of text.matchAll(LETTERS_AND_DIGITS))
    inWord.fill(1, index, index + run.length);
  return { text, isInWord: (index) => inWord[index] === 1 };
}

/**
 * The first characters of everything in these texts that may be a whole word or phrase, in lower
 * case: an alert word of one of them begins with one of these, or is one.
 */
export function beginningsIn(contents: readonly string[]): string[] {
  const found = new Set<string>();
  for (const { text, isInWord } of contents.map(scan))
    for (let at = 0; at < text.length; at++) {
      if (isInWord(at - 1)) continue;
      for (let length = 1, end = at; length <= BEGINNING && end < text.length; length++) {
        end += (text.codePointAt(end) ?? 0) > 0xff_ff ? 2 : 1;
        // A shorter word ends here, and no letter or digit follows it.
        if (length === BEGINNING || !isInWord(end)) found.add(text.slice(at, end));
      }
    }
  return [...found];
}

interface Node {
  readonly next: Map<number, Node>;
  /** The words that end here. */
  readonly words: string[];
}

const newNode = (): Node => ({ next: new Map(), words: [] });

/**
 * Finds which of these words or phrases a text has, in any letter case, and not as a part of a longer
 * word: no letter or digit stands directly before or after it. All words are looked for together, in
 * one pass that looks at most as many characters ahead as the longest word has.
 */
export function wordFinder(words: Iterable<string>): (content: string) => ReadonlySet<string> {
  const root = newNode();
  for (const word of words) {
    const folded = foldCase(word);
    let node = root;
    for (let at = 0; at < folded.length; at++) {
      const code = folded.charCodeAt(at);
      const next = node.next.get(code) ?? newNode();
      node.next.set(code, next);
      node = next;
    }
    node.words.push(word);
  }
  return (content) => {
    const found = new Set<string>();
    if (root.next.size === 0) return found;
    const { text, isInWord } = scan(content);
    for (let start = 0; start < text.length; start++) {
      if (isInWord(start - 1)) continue;
      let node = root.next.get(text.charCodeAt(start));
      for (let end = start + 1; node !== undefined; end++) {
        if (!isInWord(end)) for (const word of node.words) found.add(word);
        node = node.next.get(text.charCodeAt(end));
      }
    }
    return found;
  };
}
