import { wordKey } from '@bellhop/protocol/plain';

/**
 * The candidate most similar to a mistyped word, by edit distance. The distance may be one for words
 * of three to seven letters, and two for longer ones; undefined if no candidate is that close.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const typed = wordKey(word);
  let best: string | undefined;
  let least = maxDistance(typed.length) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - typed.length) >= least) continue;
    const distance = editDistance(typed, candidate.toLowerCase());
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

function maxDistance(length: number): number {
  if (length < 3) return 0;
  return length < 8 ? 1 : 2;
}

/** The optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours. */
export function editDistance(a: string, b: string): number {
  let previous: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min(at(row, j) + 1, at(next, j - 1) + 1, at(row, j - 1) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        least = Math.min(least, at(previous, j - 2) + 1);
      }
      next.push(least);
    }
    [previous, row] = [row, next];
  }
  return at(row, b.length);
}

const at = (row: readonly number[], index: number) => row[index] ?? Infinity;
