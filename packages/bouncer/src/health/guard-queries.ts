import { type Kysely, type Selectable, sql } from 'kysely';

import type { BouncerTables, DeletionGuardTable } from '../tables.ts';
import { type HealthKey, isAmong, keyColumns } from './queries.ts';

type Db = Kysely<BouncerTables>;
export type GuardRow = Selectable<DeletionGuardTable>;

/** One in this many living devices of an app may be deleted before a notification is accepted. */
const SHARE = 10;
/** The most devices that this share may be. */
const MAX_DELETIONS = 20;

/** The same app as `appOf` of the providers. */
export const appOfDevice = sql<string>`coalesce(
  ios_app_id, android_app_id, substring(token from '^https://([^/?#]+)'), '')`;

export const guardRows = (db: Db, credentials: readonly Buffer[]): Promise<GuardRow[]> =>
  db.selectFrom('deletion_guard').selectAll().where(isAmong(credentials)).execute();

/** Counts a deletion. Undefined if the app is not proven, or has lost its share already. */
export const claimDeletion = (db: Db, key: HealthKey): Promise<GuardRow | undefined> =>
  db
    .updateTable('deletion_guard')
    .set({ deletions: sql`deletions + 1` })
    .where((eb) => eb.and(key))
    .where('is_proven', '=', true)
    .where(
      sql<boolean>`deletions < greatest(1, (
        select count(*) / ${sql.lit(SHARE)} from (
          select 1 from device
          where token_kind = ${key.token_kind} and expired_at is null
            and ${appOfDevice} = ${key.app}
          limit ${sql.lit(SHARE * MAX_DELETIONS)}
        ) as living
      ))`,
    )
    .returningAll()
    .executeTakeFirst();

/**
 * Records accepted notifications: they prove the app, and each makes up for a deletion. The alarm ends
 * when all are made up for. Undefined if nothing had to change.
 */
export const saveAcceptances = (db: Db, key: HealthKey, count: number): Promise<GuardRow> =>
  db
    .insertInto('deletion_guard')
    .values({ ...key, is_proven: true })
    .onConflict((conflict) =>
      conflict.columns(keyColumns).doUpdateSet({
        is_proven: true,
        deletions: sql`greatest(0, deletion_guard.deletions - ${count}::int)`,
        has_alarm: sql`deletion_guard.has_alarm and deletion_guard.deletions > ${count}::int`,
      }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();

/** Whether the alarm is new: of concurrent calls, from any node, one gets true. */
export async function saveDoubt(db: Db, key: HealthKey): Promise<boolean> {
  const saved = await db
    .insertInto('deletion_guard')
    .values({ ...key, has_alarm: true })
    .onConflict((conflict) =>
      conflict
        .columns(keyColumns)
        .doUpdateSet({ has_alarm: true })
        .where('deletion_guard.has_alarm', '=', false),
    )
    .returning('app')
    .executeTakeFirst();
  return saved !== undefined;
}
