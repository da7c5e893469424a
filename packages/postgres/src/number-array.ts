/** Numbers as a PostgreSQL array. pg quotes and escapes each element, which takes several times as long. */
export const numberArray = (values: readonly (number | null)[]): string =>
  `{${values.map((value) => value ?? 'NULL').join()}}`;
