import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';

import { appOfDevice } from '../devices/queries.ts';
import type { BouncerTables, ProviderAlarm, ProviderStateTable } from '../storage/tables.ts';

type Db = Kysely<BouncerTables>;
export type StateRow = Selectable<ProviderStateTable>;
/**
 * What a row is about. A provider as it judges one gateway, with its credentials in one environment: then
 * `app` is '' for all apps. Or a sender, with a hash over all its environments: then `app` is '' for
 * phones that name none.
 */
export type StateKey = Pick<StateRow, 'token_kind' | 'credentials' | 'app'>;

/** Equal for equal keys. */
export const keyText = ({ token_kind, credentials, app }: StateKey): string =>
  `${token_kind} ${credentials.toString('base64')} ${app}`;

type Columns = Omit<StateRow, keyof StateKey>;
type Changes = { readonly [C in keyof Columns]?: Columns[C] | RawBuilder<unknown> };

/** A change of a row by an event. */
export interface Transition {
  /** The row, if there is none yet; absent: then nothing happens. */
  readonly from?: Changes;
  readonly set: Changes;
  /** When the row changes; absent: always. */
  readonly if?: RawBuilder<unknown>;
}

interface Pause {
  readonly now: Date;
  readonly until: Date;
}

/** One in this many living devices of an app may be deleted before a notification is accepted. */
const SHARE = 10;
/** The most devices that this share may be. */
const MAX_DELETIONS = 20;

const own = {
  pausedUntil: sql.ref('provider_state.paused_until'),
  pauses: sql.ref('provider_state.pauses'),
  deletions: sql.ref('provider_state.deletions'),
};

/** What happens to a row, by event. Of concurrent calls, from any node, each sees the one before. */
export const transitions = {
  /** The provider takes no notifications now. The longest pause counts, and all at once count as one. */
  pause: ({ now, until, reason }: Pause & { readonly reason: string }): Transition => ({
    from: { paused_until: until, pauses: 1, reason },
    set: {
      paused_until: sql`greatest(${own.pausedUntil}, ${until}::timestamptz)`,
      reason,
      pauses: sql`${own.pauses} + case when ${own.pausedUntil} > ${now} then 0 else 1 end`,
    },
  }),
  /** The pause is over: one notification tries, and the others wait for the next pause. */
  trial: ({ now, until }: Pause): Transition => ({
    set: { paused_until: until, pauses: sql`${own.pauses} + 1` },
    if: sql`${own.pausedUntil} <= ${now}`,
  }),
  /** Credentials or clock are at fault. */
  alarm: (alarm: ProviderAlarm, reason: string): Transition => ({
    from: { alarm, reason },
    set: { alarm, reason },
    if: sql`provider_state.alarm is distinct from ${alarm}`,
  }),
  /** The provider took the credentials again. */
  recovery: (): Transition => ({ set: { paused_until: null, pauses: 0, alarm: null } }),
  /**
   * Notifications were accepted: they prove the app, and each makes up for a deletion. The doubt ends when
   * all are made up for.
   */
  acceptance: (count: number): Transition => ({
    from: { is_proven: true },
    set: {
      is_proven: true,
      deletions: sql`greatest(0, ${own.deletions} - ${count}::int)`,
      is_doubted: sql`provider_state.is_doubted and ${own.deletions} > ${count}::int`,
    },
  }),
  /** A device is called dead: it may be deleted if the app is proven and has not lost its share yet. */
  deletion: ({ token_kind, app }: StateKey): Transition => ({
    set: { deletions: sql`${own.deletions} + 1` },
    if: sql`provider_state.is_proven and ${own.deletions} < greatest(1, (
      select count(*) / ${sql.lit(SHARE)} from (
        select 1 from device
        where token_kind = ${token_kind} and expired_at is null and ${appOfDevice} = ${app}
        limit ${sql.lit(SHARE * MAX_DELETIONS)}
      ) as living
    ))`,
  }),
  /** A device is called dead and may not be deleted. */
  doubt: (): Transition => ({
    from: { is_doubted: true },
    set: { is_doubted: true },
    if: sql`not provider_state.is_doubted`,
  }),
};

/** A row after a transition, and what it was alarming about before. */
export interface Changed {
  readonly row: StateRow;
  readonly former: Pick<StateRow, 'alarm' | 'is_doubted'>;
}

/** Undefined if the row did not change. */
export async function applyTransition(
  db: Db,
  key: StateKey,
  { from, set, if: condition = sql`true` }: Transition,
): Promise<Changed | undefined> {
  const isKey = sql`token_kind = ${key.token_kind} and credentials = ${key.credentials}
    and app = ${key.app}`;
  const assigned = sql.join(
    Object.entries(set).map(([column, value]) => sql`${sql.ref(column)} = ${value}`),
  );
  const columns = { ...key, ...from };
  // What follows reads `former` before it writes. PostgreSQL 15 has no RETURNING OLD.
  const write = from
    ? sql`insert into provider_state (${sql.join(Object.keys(columns).map((name) => sql.ref(name)))})
        select ${sql.join(Object.values(columns).map((value) => sql`${value}`))}
        from (select count(*) from former) as locked
        on conflict (token_kind, credentials, app) do update set ${assigned} where ${condition}`
    : sql`update provider_state set ${assigned} from (select count(*) from former) as locked
        where ${isKey} and ${condition}`;
  const { rows } = await sql<
    StateRow & { former_alarm: ProviderAlarm | null; former_is_doubted: boolean }
  >`
    with former as materialized (
      select alarm, is_doubted from provider_state where ${isKey} for update
    )
    ${write}
    returning provider_state.*, (select alarm from former) as former_alarm,
      coalesce((select is_doubted from former), false) as former_is_doubted`.execute(db);
  const [changed] = rows;
  if (!changed) return undefined;
  const { former_alarm: alarm, former_is_doubted: is_doubted, ...row } = changed;
  return { row, former: { alarm, is_doubted } };
}

/** The rows of these gateways and senders. */
export const stateRows = (db: Db, credentials: readonly Buffer[]): Promise<StateRow[]> =>
  db
    .selectFrom('provider_state')
    .selectAll()
    .where(sql<boolean>`credentials = any(${credentials}::bytea[])`)
    .execute();

interface LivingOf extends Pick<StateKey, 'token_kind'> {
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
