/** A value that is made at its first use. */
export function once<T extends NonNullable<unknown>>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
