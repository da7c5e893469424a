/** The keys of a filter with values to suggest. */
export type FilterKeys = Readonly<Record<string, readonly string[]>>;

const SHOWN = 30;

/** The text with its last word completed in each possible way. */
export function suggestions(text: string, keys: FilterKeys): readonly string[] {
  const [, before = '', last = ''] = /^(.*?\s)?(\S*)$/.exec(text) ?? [];
  const terms = Object.entries(keys).flatMap(([key, values]) =>
    last.startsWith(`${key}:`) ? values.map((value) => `${key}:${value}`) : [`${key}:`],
  );
  return terms
    .filter((term) => term.startsWith(last) && term !== last)
    .slice(0, SHOWN)
    .map((one) => before + one);
}
