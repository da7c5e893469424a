import type { RealmId } from '@bellhop/protocol';
import { type RawBuilder, sql } from 'kysely';

import type { Db, Tx } from '../../engine/call.ts';
import type { JsonColumn } from '../../engine/tables.ts';

/** What the IDs of an export belong to. */
export type IdKind =
  | 'user'
  | 'group'
  | 'folder'
  | 'channel'
  /** A channel or conversation as the address of messages. */
  | 'recipient'
  /** The address of messages to one person; the conversation depends on the sender. */
  | 'person'
  | 'channel of recipient'
  | 'conversation'
  /** The participants of a conversation. */
  | 'participant'
  | 'field'
  | 'emoji'
  /** Not numbered yet: the IDs of messages follow their order in the export. */
  | 'unnumbered message'
  | 'message';

declare module '../../engine/tables.ts' {
  interface Tables {
    realm_import: {
      realm_id: RealmId;
      source: string;
      step: number;
      part: number;
      counts: JsonColumn<Record<string, number>>;
    };
    imported_id: { realm_id: RealmId; kind: IdKind; former_id: number; id: number };
    imported_file: { realm_id: RealmId; path: string; upload_id: number };
  }
}

interface Column {
  /** The type in PostgreSQL. */
  readonly type: string;
  /** The value is an ID of the export, of this kind. */
  readonly of?: IdKind;
  /** A row whose ID is unknown or missing is stored all the same, with null. */
  readonly nullable?: true;
}

/** A table of this server, and how its columns are filled from rows of the export. */
export interface TableTarget {
  readonly table: string;
  /** The rows have IDs: `former_id` of a row gets one, unless it has one. */
  readonly kind?: IdKind;
  readonly columns: Readonly<Record<string, Column>>;
}

export const text = { type: 'text' } as const;
export const flag = { type: 'boolean' } as const;
export const whole = { type: 'bigint' } as const;
export const small = { type: 'integer' } as const;
export const time = { type: 'timestamptz' } as const;
export const json = { type: 'jsonb' } as const;
export const bytes = { type: 'bytea' } as const;
export const ref = (of: IdKind) => ({ type: 'bigint', of }) as const;
export const anyRef = (of: IdKind) => ({ type: 'bigint', of, nullable: true }) as const;

export interface NewRow {
  /** The ID in the export, for a table whose rows have IDs. */
  readonly former_id?: number;
  readonly [column: string]: unknown;
}

/**
 * Inserts rows of an export, whose IDs become those of this server in the same statement. Returns how many
 * were inserted: a row that refers to something unknown is not. One without an ID of its own is not either if
 * its key is taken; of others, which something may refer to, that is an error of the database.
 */
export async function insertRows(
  tx: Tx,
  realm: RealmId,
  { table, kind, columns }: TableTarget,
  rows: readonly NewRow[],
): Promise<number> {
  if (rows.length === 0) return 0;
  const names = Object.keys(columns);
  const list = (parts: readonly RawBuilder<unknown>[]) => sql.join(parts);
  const typed = Object.entries(columns).map(
    ([name, { type }]) => sql`${sql.ref(name)} ${sql.raw(type)}`,
  );
  const given = sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
    as r (${list([...(kind ? [sql`former_id bigint`] : []), ...typed])})`;
  const references = Object.entries(columns).filter(([, { of }]) => of !== undefined);
  const alias = (name: string) => sql.ref(`of_${name}`);
  const joins = references.map(
    ([
      name,
      { of, nullable },
    ]) => sql`${sql.raw(nullable ? 'left' : '')} join imported_id ${alias(name)}
      on ${sql.ref(`of_${name}.realm_id`)} = ${realm} and ${sql.ref(`of_${name}.kind`)} = ${of}
      and ${sql.ref(`of_${name}.former_id`)} = ${sql.ref(`r.${name}`)}`,
  );
  const value = (name: string) =>
    columns[name]?.of === undefined ? sql.ref(`r.${name}`) : sql.ref(`of_${name}.id`);
  const withIds = kind
    ? sql`with given as materialized (select * from ${given}),
      numbered as (
        insert into imported_id (realm_id, kind, former_id, id)
        select ${realm}, ${kind}, g.former_id, nextval(pg_get_serial_sequence(${table}, 'id'))
        from (select distinct former_id from given order by former_id) g
        where not exists (select from imported_id i where i.realm_id = ${realm} and i.kind = ${kind}
          and i.former_id = g.former_id)
        returning former_id, id)`
    : sql``;
  const from = kind
    ? sql`given r join numbered on numbered.former_id = r.former_id`
    : sql`${given}`;
  const target = [...(kind ? ['id'] : []), ...names].map((name) => sql.ref(name));
  const values = [...(kind ? [sql.ref('numbered.id')] : []), ...names.map(value)];
  const result = await sql`${withIds}
    insert into ${sql.table(table)} (realm_id, ${list(target)})
    ${sql.raw(kind ? 'overriding system value' : '')}
    select ${realm}, ${list(values)} from ${from} ${sql.join(joins, sql` `)}
    ${sql.raw(kind ? '' : 'on conflict do nothing')}`.execute(tx);
  return Number(result.numAffectedRows ?? 0n);
}

/** Notes what IDs of the export became. */
export async function noteIds(
  tx: Tx,
  realm: RealmId,
  kind: IdKind,
  pairs: readonly (readonly [former: number, id: number])[],
): Promise<void> {
  await sql`insert into imported_id (realm_id, kind, former_id, id)
    select ${realm}, ${kind}, p.former, p.id
    from unnest(${pairs.map(([former]) => former)}::bigint[], ${pairs.map(([, id]) => id)}::bigint[])
      p (former, id) on conflict do nothing`.execute(tx);
}

/** What these IDs of the export became; without those that are unknown. */
export async function newIds(
  db: Db,
  realm: RealmId,
  kind: IdKind,
  former: readonly number[],
): Promise<Map<number, number>> {
  if (former.length === 0) return new Map();
  const { rows } = await sql<{
    former_id: number;
    id: number;
  }>`select former_id, id from imported_id
    where realm_id = ${realm} and kind = ${kind}
      and former_id = any(${[...new Set(former)]}::bigint[])`.execute(db);
  return new Map(rows.map(({ former_id, id }) => [former_id, id]));
}
