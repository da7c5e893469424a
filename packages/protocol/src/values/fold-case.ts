/**
 * A name in the form in which names are compared: those of the same form differ only in letter case.
 * Returns what `lower(name)` is in PostgreSQL with the locale C.UTF-8, whose unique indexes decide
 * which names are the same. Unlike `toLowerCase`, it changes each character to one other, wherever it
 * stands: `Σ` is `σ` also at the end of a word, and `İ` is `i`.
 */
export const foldCase = (name: string): string =>
  name.replaceAll('Σ', 'σ').replaceAll('İ', 'i').toLowerCase();
