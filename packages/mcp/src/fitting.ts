/** The longest list of a result, in characters of its JSON text: some 8,000 tokens. */
export const MAX_RESULT_CHARACTERS = 30_000;

/** The first items whose JSON text has at most `room` characters together; at least one. */
export function fitting<T>(items: readonly T[], room: number = MAX_RESULT_CHARACTERS): T[] {
  let left = room;
  const tooLong = items.findIndex((item, at) => {
    left -= JSON.stringify(item).length;
    return left < 0 && at > 0;
  });
  return items.slice(0, tooLong < 0 ? items.length : tooLong);
}

/** A part of a list: so many items from `offset`, as far as they fit, and where the next part begins. */
export function partOf<T>(
  items: readonly T[],
  { offset, limit }: { readonly offset: number; readonly limit: number },
): { readonly part: T[]; readonly total: number; readonly next_offset: number | null } {
  const part = fitting(items.slice(offset, offset + limit));
  const end = offset + part.length;
  return { part, total: items.length, next_offset: end < items.length ? end : null };
}
