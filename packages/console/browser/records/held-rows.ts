/**
 * How many items at the start of a list are newer than those that were there when it was held, and wait.
 * `keys` are those of all items, newest first.
 */
export function countWaiting(
  keys: readonly string[],
  held: ReadonlySet<string> | undefined,
): number {
  if (!held) return 0;
  const first = keys.findIndex((key) => held.has(key));
  return first === -1 ? keys.length : first;
}

/**
 * The rows of a list that is held, as they are now, and the older ones that have been loaded since. A
 * held row stays also if the list does not keep it. Rows are newest first.
 */
export function heldRows<T>(
  items: readonly T[],
  held: readonly T[],
  keyOf: (item: T) => string,
): readonly T[] {
  // Older ones were loaded, and nothing else: no key of thousands is looked up.
  if (held.length > 0 && held.every((item, at) => item === items[at])) return items;
  const now = new Map(items.map((item) => [keyOf(item), item]));
  const last = held.at(-1);
  const end = last === undefined ? undefined : now.get(keyOf(last));
  const older = end === undefined ? [] : items.slice(items.indexOf(end) + 1);
  return [...held.map((item) => now.get(keyOf(item)) ?? item), ...older];
}
