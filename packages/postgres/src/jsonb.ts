import { type RawBuilder, sql } from 'kysely';

/** A value for a jsonb column. Needed for arrays, which the driver would send as a PostgreSQL array. */
export function jsonb<Value>(value: Value): RawBuilder<Value> {
  return sql<Value>`${JSON.stringify(value)}::jsonb`;
}
