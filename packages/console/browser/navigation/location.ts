import { computed, signal } from '@preact/signals';

const BASE = '/console/';

/** Browsers take parts such as `..` out of an address, also if they are encoded: a topic may have that name. */
const segmentOf = (part: string) =>
  encodeURIComponent(part === '.' || part === '..' ? `${part} ` : part);
const partOf = (segment: string) => decodeURIComponent(segment).replace(/^(\.{1,2}) $/, '$1');

/** The address without the origin: path and query. */
const address = signal(location.pathname + location.search);
const parsed = computed(() => new URL(address.value, location.origin));

/** The part of the console and the rest of the path: `['chat', 'channel', '5']`. */
export const path = computed((): readonly string[] =>
  parsed.value.pathname.slice(BASE.length).split('/').filter(Boolean).map(partOf),
);
/** The query of the address: filters, selection and tabs are kept here. */
export const query = computed((): Readonly<Record<string, string>> =>
  Object.fromEntries(parsed.value.searchParams),
);

/**
 * The address of a place in the console: `href(['chat', 'dm', '5'], { near: '12' })`. The account that is
 * shown beside stays.
 */
export function href(parts: readonly string[], search: Query = {}): string {
  const given = Object.entries({ beside: query.value['beside'], ...search }).filter(
    (entry): entry is [string, string] => !!entry[1],
  );
  const text = new URLSearchParams(given).toString();
  return `${BASE}${parts.map(segmentOf).join('/')}${text ? `?${text}` : ''}`;
}

/**
 * Goes to an address. `replace` adds no entry to the history, for example while the user types a
 * filter.
 */
export function go(to: string, { replace = false } = {}): void {
  if (to === address.peek()) return;
  if (replace) history.replaceState(null, '', to);
  else history.pushState(null, '', to);
  address.value = to;
}

/** Keys of the query; undefined removes a key. */
export type Query = Readonly<Record<string, string | undefined>>;

/** Changes some keys of the query. */
export function setQuery(changes: Query, options?: { replace?: boolean }): void {
  go(href(path.peek(), { ...query.peek(), ...changes }), options);
}

/** Lets links to places in the console change the address without loading a page. */
export function followLinks(): void {
  addEventListener('popstate', () => {
    address.value = location.pathname + location.search;
  });
  addEventListener('click', (event) => {
    const { ctrlKey, metaKey, altKey, shiftKey, button, defaultPrevented } = event;
    if (defaultPrevented || ctrlKey || metaKey || altKey || shiftKey || button !== 0) return;
    const link = event.composedPath().find((one) => one instanceof HTMLAnchorElement);
    if (!link || link.origin !== location.origin || link.target || link.hasAttribute('download'))
      return;
    if (!link.pathname.startsWith(BASE)) return;
    event.preventDefault();
    go(link.pathname + link.search);
  });
}
