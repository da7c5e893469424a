import type { TokenKind } from '@bellhop/protocol';
import { type Kysely, type Selectable, sql } from 'kysely';

import type { BouncerTables, ProviderAlarm, ProviderHealthTable } from '../tables.ts';

type Db = Kysely<BouncerTables>;
export type HealthRow = Selectable<ProviderHealthTable>;
/** An app of a provider, under one configuration. */
export type HealthKey = Pick<HealthRow, 'token_kind' | 'credentials' | 'app'>;

/** How many devices may be deleted as dead while the provider accepts no notification. */
export const DEAD_ALLOWANCE = 5;

const keyColumns = ['token_kind', 'credentials', 'app'] as const;

/** The rows of these configurations that say something bad. */
export const troubledRows = (
  db: Db,
  credentials: Readonly<Record<TokenKind, Buffer>>,
): Promise<HealthRow[]> =>
  db
    .selectFrom('provider_health')
    .selectAll()
    .where((eb) =>
      eb.or(
        Object.entries(credentials).map(([kind, hash]) =>
          eb.and({ token_kind: kind as TokenKind, credentials: hash }),
        ),
      ),
    )
    .where((eb) =>
      eb.or([
        eb('paused_until', 'is not', null),
        eb('alarm', 'is not', null),
        eb('dead_allowance', '<', DEAD_ALLOWANCE),
      ]),
    )
    .execute();

/** Pauses the app. Of concurrent calls, from any node, the longest counts, and all count as one pause. */
export const savePause = (
  db: Db,
  key: HealthKey,
  { now, until }: { readonly now: Date; readonly until: Date },
): Promise<HealthRow> =>
  db
    .insertInto('provider_health')
    .values({ ...key, paused_until: until, pauses: 1, dead_allowance: DEAD_ALLOWANCE })
    .onConflict((conflict) =>
      conflict.columns(keyColumns).doUpdateSet({
        paused_until: sql`greatest(provider_health.paused_until, excluded.paused_until)`,
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
  { now, until }: { readonly now: Date; readonly until: Date },
): Promise<HealthRow | undefined> =>
  db
    .updateTable('provider_health')
    .set({ paused_until: until, pauses: sql`pauses + 1` })
    .where((eb) => eb.and(key))
    .where('paused_until', '<=', now)
    .returningAll()
    .executeTakeFirst();

export const endPause = (db: Db, key: HealthKey): Promise<HealthRow | undefined> =>
  db
    .updateTable('provider_health')
    .set({ paused_until: null, pauses: 0 })
    .where((eb) => eb.and(key))
    .returningAll()
    .executeTakeFirst();

/**
 * Ends the pause and adds to the allowance. Ends the alarm too, but that about dead tokens only when the
 * allowance is whole again.
 */
export const saveAcceptance = (
  db: Db,
  key: HealthKey,
  accepted: number,
): Promise<HealthRow | undefined> =>
  db
    .updateTable('provider_health')
    .set({
      paused_until: null,
      pauses: 0,
      dead_allowance: sql`least(${DEAD_ALLOWANCE}::int, dead_allowance + ${accepted}::int)`,
      alarm: sql`case when alarm = 'dead_tokens'
        and dead_allowance + ${accepted}::int < ${DEAD_ALLOWANCE}::int then alarm end`,
    })
    .where((eb) => eb.and(key))
    .returningAll()
    .executeTakeFirst();

/** Takes one deletion from the allowance. Undefined if none is left. */
export const claimDeletion = (db: Db, key: HealthKey): Promise<HealthRow | undefined> =>
  db
    .insertInto('provider_health')
    .values({ ...key, paused_until: null, dead_allowance: DEAD_ALLOWANCE - 1, alarm: null })
    .onConflict((conflict) =>
      conflict
        .columns(keyColumns)
        .doUpdateSet({ dead_allowance: sql`provider_health.dead_allowance - 1` })
        .where(sql<boolean>`provider_health.dead_allowance > 0`),
    )
    .returningAll()
    .executeTakeFirst();

/** Whether the alarm is new: of concurrent calls, from any node, one gets true. */
export async function saveAlarm(db: Db, key: HealthKey, alarm: ProviderAlarm): Promise<boolean> {
  const saved = await db
    .insertInto('provider_health')
    .values({ ...key, paused_until: null, dead_allowance: DEAD_ALLOWANCE, alarm })
    .onConflict((conflict) =>
      conflict
        .columns(keyColumns)
        .doUpdateSet({ alarm })
        .where(sql<boolean>`provider_health.alarm is distinct from ${alarm}`),
    )
    .returning('app')
    .executeTakeFirst();
  return saved !== undefined;
}
