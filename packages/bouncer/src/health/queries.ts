import { type Kysely, type Selectable, sql } from 'kysely';

import type { BouncerTables, ProviderAlarm, ProviderHealthTable } from '../storage/tables.ts';

type Db = Kysely<BouncerTables>;
export type HealthRow = Selectable<ProviderHealthTable>;
/** A provider as it judges one configuration, for one app. */
export type HealthKey = Pick<HealthRow, 'token_kind' | 'credentials' | 'app'>;

/** Equal for equal keys. */
export const keyText = ({ token_kind, credentials, app }: HealthKey): string =>
  `${token_kind} ${credentials.toString('base64')} ${app}`;

export const keyColumns = ['token_kind', 'credentials', 'app'] as const;

/** Whether `credentials` is one of the hashes. */
export const isAmong = (credentials: readonly Buffer[]) =>
  sql<boolean>`credentials = any(${credentials}::bytea[])`;

/** The rows of these configurations that hold a pause or an alarm. */
export const troubledRows = (db: Db, credentials: readonly Buffer[]): Promise<HealthRow[]> =>
  db
    .selectFrom('provider_health')
    .selectAll()
    .where(isAmong(credentials))
    .where((eb) => eb.or([eb('paused_until', 'is not', null), eb('alarm', 'is not', null)]))
    .execute();

interface Pause {
  readonly now: Date;
  readonly until: Date;
}

/** Pauses the app. Of concurrent calls, from any node, the longest counts, and all count as one pause. */
export const savePause = (
  db: Db,
  key: HealthKey,
  { now, until, reason }: Pause & { readonly reason: string },
): Promise<HealthRow> =>
  db
    .insertInto('provider_health')
    .values({ ...key, paused_until: until, pauses: 1, reason })
    .onConflict((conflict) =>
      conflict.columns(keyColumns).doUpdateSet({
        paused_until: sql`greatest(provider_health.paused_until, excluded.paused_until)`,
        reason,
        pauses: sql`provider_health.pauses
          + case when provider_health.paused_until > ${now} then 0 else 1 end`,
      }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();

/** Begins the next pause of an app whose pause is over. Undefined if another caller did, on any node. */
export const claimTrial = (
  db: Db,
  key: HealthKey,
  { now, until }: Pause,
): Promise<HealthRow | undefined> =>
  db
    .updateTable('provider_health')
    .set({ paused_until: until, pauses: sql`pauses + 1` })
    .where((eb) => eb.and(key))
    .where('paused_until', '<=', now)
    .returningAll()
    .executeTakeFirst();

/** Ends the pause and the alarm. The alarm that it ended, if there was one; of concurrent calls, once. */
export async function endTrouble(db: Db, key: HealthKey): Promise<ProviderAlarm | undefined> {
  const { rows } = await sql<{ alarm: ProviderAlarm | null }>`
    with former as (
      select alarm from provider_health
      where token_kind = ${key.token_kind} and credentials = ${key.credentials} and app = ${key.app}
      for update
    )
    update provider_health set paused_until = null, pauses = 0, alarm = null
    from former
    where token_kind = ${key.token_kind} and credentials = ${key.credentials} and app = ${key.app}
    returning former.alarm`.execute(db);
  return rows[0]?.alarm ?? undefined;
}

/** Whether the alarm is new: of concurrent calls, from any node, one gets true. */
export async function saveAlarm(
  db: Db,
  key: HealthKey,
  { alarm, reason }: { readonly alarm: ProviderAlarm; readonly reason: string },
): Promise<boolean> {
  const saved = await db
    .insertInto('provider_health')
    .values({ ...key, alarm, reason })
    .onConflict((conflict) =>
      conflict
        .columns(keyColumns)
        .doUpdateSet({ alarm, reason })
        .where(sql<boolean>`provider_health.alarm is distinct from ${alarm}`),
    )
    .returning('app')
    .executeTakeFirst();
  return saved !== undefined;
}
