import { type RawBuilder, sql } from 'kysely';

/**
 * Names in lower case, to compare with `lower(column)`: the database lowers both sides. See `foldCase`
 * for names that are compared outside of it.
 */
export const lowerAll = (names: readonly string[]): RawBuilder<readonly string[]> =>
  sql`array(select lower(name) from unnest(${names}::text[]) name)`;
