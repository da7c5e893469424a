import { type RawBuilder, sql } from 'kysely';

/** A value for a jsonb column. The driver alone would send an array as a PostgreSQL array. */
export function jsonb<Value>(value: Value): RawBuilder<Value> {
  return sql<Value>`${JSON.stringify(value)}::jsonb`;
}

/**
 * Names in lower case, to compare with `lower(column)`: the database lowers both sides. See `foldCase`
 * for names that are compared outside of it.
 */
export const lowerAll = (names: readonly string[]): RawBuilder<readonly string[]> =>
  sql`array(select lower(name) from unnest(${names}::text[]) name)`;

/** Numbers as a PostgreSQL array. pg quotes and escapes each element, which takes several times as long. */
export const numberArray = (values: readonly (number | null)[]): string =>
  `{${values.map((value) => value ?? 'NULL').join()}}`;
