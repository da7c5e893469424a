import { go, href, query } from '../navigation/location.ts';

/** The address of a page of the organization, or of one of its items. Keeps the filter. */
export const hrefOf = (page: string, item?: string | number): string =>
  href(['organization', page, ...(item === undefined ? [] : [String(item)])], query.value);

export const goTo = (page: string, item?: string | number): void =>
  go(href(['organization', page, ...(item === undefined ? [] : [String(item)])]));
