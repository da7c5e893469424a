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
