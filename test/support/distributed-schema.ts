import { readCatalogue, type TableColumn } from '@bellhop/postgres/testing';
import { type Kysely, sql } from 'kysely';

import type { FunctionFacts } from './function-rules.ts';
import type { DistributedSchema } from './realm-refusals.ts';

interface Placing {
  /** Whether a column places the rows of its table. */
  readonly isPlaced: (column: TableColumn) => boolean;
  /** Further tables, with the column that places their rows. */
  readonly also: Readonly<Record<string, string>>;
}

/** What a distributor has to know of a database whose tables are placed by a column. */
export async function distributedSchema<T>(
  db: Kysely<T>,
  { isPlaced, also }: Placing,
): Promise<DistributedSchema> {
  const { columns } = await readCatalogue(db);
  const tables = Map.groupBy(columns, ({ table }) => table);
  return {
    placedBy: new Map([
      ...columns.filter(isPlaced).map(({ table, column }) => [table, column] as const),
      ...Object.entries(also),
    ]),
    columns: new Map(
      [...tables].map(([table, own]) => [table, new Set(own.map(({ column }) => column))]),
    ),
    functions: await readFunctions(db),
  };
}

/** Whether a statement may read or write a table of the database. */
export const namesTable = (text: string, { columns }: DistributedSchema): boolean =>
  /^\s*(with|select|insert|update|delete)\b/i.test(text) &&
  [...columns.keys()].some((table) => new RegExp(String.raw`\b${table}\b`).test(text));

async function readFunctions<T>(db: Kysely<T>): Promise<Map<string, FunctionFacts>> {
  const { rows } = await sql<FunctionFacts & { name: string }>`
    select name,
      case max(case p.provolatile when 'v' then 2 when 's' then 1 else 0 end)
        when 2 then 'volatile' when 1 then 'stable' else 'immutable' end as volatility,
      bool_or(p.prokind in ('a', 'w') or p.proretset) as folds,
      bool_or(p.pronamespace = 'public'::regnamespace and (
        exists (select from unnest(p.proargtypes) a (type) join pg_type t on t.oid = a.type
          where t.typrelid <> 0)
        or exists (select from pg_class c where c.relnamespace = 'public'::regnamespace
          and c.relkind = 'r' and p.prosrc ~ ('\\y' || c.relname || '\\y')))) as touches
    from pg_proc p, unnest(array[p.proname::text, p.proname || '/' || p.pronargs]) name
    group by name`.execute(db);
  return new Map(rows.map(({ name, ...facts }) => [name, facts]));
}
