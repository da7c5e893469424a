import { type Kysely, sql } from 'kysely';

export interface TableColumn {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  /** An insert must give a value: the column is not null, has no default and is not generated. */
  readonly is_required: boolean;
}

export interface Index {
  readonly table: string;
  readonly name: string;
  /** `btree`, `gin`, `brin`. */
  readonly method: string;
  readonly is_unique: boolean;
  /** Null if the index begins with an expression. */
  readonly first_column: string | null;
}

export interface ForeignKey {
  readonly name: string;
  readonly table: string;
  readonly columns: readonly string[];
  readonly parent: string;
  readonly parent_columns: readonly string[];
}

/** The columns, indexes and foreign keys of a database. */
export interface Catalogue {
  readonly columns: readonly TableColumn[];
  readonly indexes: readonly Index[];
  readonly foreignKeys: readonly ForeignKey[];
}

export const readCatalogue = async <T>(db: Kysely<T>): Promise<Catalogue> => ({
  columns: await readColumns(db),
  indexes: await readIndexes(db),
  foreignKeys: await readForeignKeys(db),
});

/** All columns of all tables, in table order. */
async function readColumns<T>(db: Kysely<T>): Promise<readonly TableColumn[]> {
  const { rows } = await sql<TableColumn>`
    select c.relname::text as table, a.attname::text as column, format_type(a.atttypid, null) as type,
      a.attnotnull and not a.atthasdef and a.attidentity = '' as is_required
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    order by c.relname, a.attnum`.execute(db);
  return rows;
}

/** All indexes of all tables. */
async function readIndexes<T>(db: Kysely<T>): Promise<readonly Index[]> {
  const { rows } = await sql<Index>`
    select t.relname::text as table, c.relname::text as name, m.amname::text as method,
      i.indisunique as is_unique, a.attname::text as first_column
    from pg_index i
    join pg_class c on c.oid = i.indexrelid
    join pg_class t on t.oid = i.indrelid
    join pg_am m on m.oid = c.relam
    left join pg_attribute a on a.attrelid = t.oid and a.attnum = i.indkey[0]
    where t.relnamespace = 'public'::regnamespace order by c.relname`.execute(db);
  return rows;
}

/** All foreign keys of all tables, their columns in the order of the key. */
async function readForeignKeys<T>(db: Kysely<T>): Promise<readonly ForeignKey[]> {
  const { rows } = await sql<ForeignKey>`
    select k.conname::text as name, t.relname::text as table, p.relname::text as parent,
      array(select a.attname::text from unnest(k.conkey) with ordinality c (number, at)
        join pg_attribute a on a.attrelid = t.oid and a.attnum = c.number order by c.at) as columns,
      array(select a.attname::text from unnest(k.confkey) with ordinality c (number, at)
        join pg_attribute a on a.attrelid = p.oid and a.attnum = c.number order by c.at)
        as parent_columns
    from pg_constraint k
    join pg_class t on t.oid = k.conrelid
    join pg_class p on p.oid = k.confrelid
    where k.contype = 'f' and t.relnamespace = 'public'::regnamespace order by k.conname`.execute(
    db,
  );
  return rows;
}

/** The violations of a rule about keys. */
export type KeyFindings = ReturnType<typeof keyFindings>;

interface KeyRules {
  /** The column with which each table, index and foreign key begins. */
  readonly key: string;
  /** Tables without the column. They are not checked. */
  readonly without: readonly string[];
  /** Whether a column has an id. */
  readonly isId: (column: TableColumn) => boolean;
  /** The first column that a foreign key refers to. */
  readonly parentKey: (parent: string) => string;
}

/**
 * Finds tables, indexes and foreign keys that do not begin with a key, and columns with an id and
 * without a foreign key, as `table.column`. All lists are sorted.
 */
export function keyFindings(
  { columns, indexes, foreignKeys }: Catalogue,
  { key, without, isId, parentKey }: KeyRules,
) {
  const isChecked = ({ table }: { readonly table: string }) => !without.includes(table);
  const keyed = columns.filter(({ column, is_required }) => column === key && is_required);
  const others = indexes.filter(isChecked).filter(({ first_column }) => first_column !== key);
  const namesOf = (found: readonly { readonly name: string }[]) =>
    found.map(({ name }) => name).toSorted();
  const referring = new Set(
    foreignKeys.flatMap((one) => one.columns.map((column) => `${one.table}.${column}`)),
  );
  return {
    tables: {
      all: [...new Set(columns.map(({ table }) => table))].toSorted(),
      withKey: keyed.map(({ table }) => table).toSorted(),
    },
    uniqueIndexes: namesOf(others.filter(({ is_unique }) => is_unique)),
    otherIndexes: namesOf(others.filter(({ is_unique }) => !is_unique)),
    foreignKeys: namesOf(
      foreignKeys
        .filter(isChecked)
        .filter((one) => one.columns[0] !== key || one.parent_columns[0] !== parentKey(one.parent)),
    ),
    columns: columns
      .filter((one) => isChecked(one) && isId(one))
      .map(({ table, column }) => `${table}.${column}`)
      .filter((name) => !referring.has(name))
      .toSorted(),
  };
}
