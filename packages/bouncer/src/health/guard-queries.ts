import { type Kysely, type Selectable, sql } from 'kysely';

import { appOfDevice } from '../devices/queries.ts';
import type { BouncerTables, DeletionGuardTable } from '../storage/tables.ts';
import { type HealthKey, isAmong, keyColumns } from './queries.ts';

type Db = Kysely<BouncerTables>;
export type GuardRow = Selectable<DeletionGuardTable>;

/** One in this many living devices of an app may be deleted before a notification is accepted. */
const SHARE = 10;
/** The most devices that this share may be. */
const MAX_DELETIONS = 20;

export const guardRows = (db: Db, credentials: readonly Buffer[]): Promise<GuardRow[]> =>
  db.selectFrom('deletion_guard').selectAll().where(isAmong(credentials)).execute();

interface LivingOf extends Pick<HealthKey, 'token_kind'> {
  /** Undefined: all. */
  readonly apps: readonly string[] | undefined;
}

/** How many phones and browsers of some apps live, up to `limit`. */
export async function countLiving(
  db: Db,
  { token_kind, apps }: LivingOf,
  limit: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select distinct token_hash from device
      where token_kind = ${token_kind} and expired_at is null
        and (${apps === undefined} or ${appOfDevice} = any(${apps ?? []}::text[]))
      limit ${limit}
    ) as living`.execute(db);
  return rows[0]?.count ?? 0;
}

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
 * when all are made up for; of concurrent calls, from any node, one gets `endedAlarm`.
 */
export async function saveAcceptances(
  db: Db,
  key: HealthKey,
  count: number,
): Promise<{ readonly row: GuardRow; readonly endedAlarm: boolean }> {
  // The insert reads `former` before it writes. PostgreSQL 15 has no RETURNING OLD.
  const { rows } = await sql<GuardRow & { readonly had_alarm: boolean }>`
    with former as materialized (
      select has_alarm from deletion_guard
      where token_kind = ${key.token_kind} and credentials = ${key.credentials} and app = ${key.app}
      for update
    )
    insert into deletion_guard (token_kind, credentials, app, is_proven, has_alarm)
    select ${key.token_kind}, ${key.credentials}, ${key.app}, true, coalesce(bool_or(has_alarm), false)
    from former
    on conflict (token_kind, credentials, app) do update set
      is_proven = true,
      deletions = greatest(0, deletion_guard.deletions - ${count}::int),
      has_alarm = deletion_guard.has_alarm and deletion_guard.deletions > ${count}::int
    returning deletion_guard.*, coalesce((select has_alarm from former), false) as had_alarm`.execute(
    db,
  );
  const [saved] = rows;
  if (!saved) throw new Error('the accepted notifications were not saved');
  const { had_alarm: hadAlarm, ...row } = saved;
  return { row, endedAlarm: hadAlarm && !row.has_alarm };
}

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
