import { wordKey } from '@bellhop/protocol';

import { query, setQuery } from '../navigation/location.ts';

/** The filter of the list that the page shows. It is in the address as `?q=`. */
export const shownFilter = (): string => query.value['q'] ?? '';

/** Filters the list that the page shows by another text; an empty one shows all rows. */
export const filterBy = (text: string, options?: { replace?: boolean }): void =>
  setQuery({ q: text || undefined }, options);

/** Whether the address chooses among the rows of the page. */
export const isFiltered = (): boolean => !!query.value['q'] || !!query.value['show'];

/** Shows all rows. */
export const clearFilter = (): void => setQuery({ q: undefined, show: undefined });

/** Whether the texts have all words. */
export function hasWords(words: string, ...texts: readonly (string | null | undefined)[]): boolean {
  const all = wordKey(texts.join(' '));
  return wordKey(words)
    .split(/\s+/)
    .every((word) => all.includes(word));
}

/** Whether the texts have all words of the filter. */
export const matchesFilter = (...texts: readonly (string | null | undefined)[]): boolean =>
  hasWords(shownFilter(), ...texts);
