import { badRequest, type RealmId } from '@bellhop/protocol';
import { type RawBuilder, sql } from 'kysely';

import type { Db, Tx } from '../engine/call.ts';
import { type LimitedTable, type ListLimit, listLimits } from './list-limits.ts';

/** Names the lists of a table: the realm, and values of the columns that `listLimits` has for it. */
export type ListOwner = { readonly realm_id: RealmId } & Readonly<Record<string, unknown>>;

/**
 * Throws BAD_REQUEST, with what to do, if a list has become longer than its limit. Call it after the
 * insertion, under the lock that makes other additions to the list wait. Limits by columns that
 * `owner` leaves out are not asked for.
 */
export async function requireRoom(tx: Tx, table: LimitedTable, owner: ListOwner): Promise<void> {
  for (const limit of listLimits[table] as readonly ListLimit[])
    if (limit.of.every((column) => owner[column] !== undefined && owner[column] !== null))
      if ((await lengthOf(tx, table, { limit, owner })) > limit.max)
        throw badRequest(limit.refusal);
}

interface OneList {
  readonly limit: ListLimit;
  readonly owner: ListOwner;
}

/** The rows of a list that count towards its limit: one more than the limit at most. */
async function lengthOf(db: Db, table: LimitedTable, { limit, owner }: OneList): Promise<number> {
  const { distinct, where } = limit;
  const columns = distinct
    ? sql`distinct ${sql.join(distinct.map((column) => sql.ref(column)))}`
    : sql``;
  const conditions = [
    sql`realm_id = ${owner.realm_id}`,
    ...limit.of.map((column) => isOf(column, limit, owner)),
    ...(where === undefined ? [] : [sql.raw(`(${where})`)]),
  ];
  const { rows } = await sql<{ length: number }>`select count(*)::integer as length from (
    select ${columns} from ${sql.table(table)}
    where ${sql.join(conditions, sql` and `)} limit ${limit.max + 1}) l`.execute(db);
  return rows[0]?.length ?? 0;
}

const isOf = (column: string, { withBots }: ListLimit, owner: ListOwner): RawBuilder<unknown> =>
  withBots
    ? sql`${sql.ref(column)} in (select p.id from realm_user p
        where p.realm_id = ${owner.realm_id} and coalesce(p.bot_owner_id, p.id) = (
          select coalesce(c.bot_owner_id, c.id) from realm_user c
          where c.realm_id = ${owner.realm_id} and c.id = ${owner[column]}))`
    : sql`${sql.ref(column)} = ${owner[column]}`;
