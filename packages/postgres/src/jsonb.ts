import { type RawBuilder, sql } from 'kysely';

/** A value for a jsonb column. The driver alone would send an array as a PostgreSQL array. */
export function jsonb<Value>(value: Value): RawBuilder<Value> {
  return sql<Value>`${JSON.stringify(value)}::jsonb`;
}
