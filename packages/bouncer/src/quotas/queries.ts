import { type Kysely, type Selectable, sql } from 'kysely';

import { tokenIdBytes } from '../storage/device-name.ts';
import { DAY_MS, type Sweep } from '../storage/sweep.ts';
import type { BouncerTables, QuotaUseTable } from '../storage/tables.ts';

type Db = Kysely<BouncerTables>;
export type QuotaUse = Selectable<QuotaUseTable>;

/** Uses that a node wants for itself, in a window. */
export interface Claim {
  readonly subject: string;
  readonly quota: string;
  readonly limit: number;
  readonly windowStart: Date;
  readonly wanted: number;
}

/** Claims uses: the wanted number, or the rest of the limit. */
export async function claimUses(
  db: Db,
  claims: readonly Claim[],
): Promise<Pick<QuotaUse, 'subject' | 'quota' | 'granted' | 'used'>[]> {
  // The same order in every node, so that two statements do not wait for each other.
  const sorted = claims.toSorted((a, b) =>
    `${a.quota} ${a.subject}` < `${b.quota} ${b.subject}` ? -1 : 1,
  );
  const { rows } = await sql<QuotaUse>`
    insert into quota_use as own (subject, quota, quota_limit, window_start, used, granted)
    select subject, quota, quota_limit, window_start,
      least(wanted, quota_limit), least(wanted, quota_limit)
    from unnest(
      ${sorted.map(({ subject }) => subject)}::text[],
      ${sorted.map(({ quota }) => quota)}::text[],
      ${sorted.map(({ limit }) => limit)}::bigint[],
      ${sorted.map(({ windowStart }) => windowStart)}::timestamptz[],
      ${sorted.map(({ wanted }) => wanted)}::bigint[]
    ) as claim (subject, quota, quota_limit, window_start, wanted)
    on conflict (subject, quota) do update set
      quota_limit = excluded.quota_limit,
      window_start = greatest(own.window_start, excluded.window_start),
      used = ${usedBefore} + ${grantable},
      granted = ${grantable}
    returning subject, quota, granted, used`.execute(db);
  return rows;
}

interface UnusedClaim extends Pick<Claim, 'subject' | 'quota' | 'windowStart'> {
  /** Claimed in this window, and not used. */
  readonly count: number;
}

/** Gives uses back. */
export const returnUses = (
  db: Db,
  { subject, quota, windowStart, count }: UnusedClaim,
): Promise<unknown> =>
  db
    .updateTable('quota_use')
    .set({ used: sql`greatest(0, used - ${count}::bigint)` })
    .where('subject', '=', subject)
    .where('quota', '=', quota)
    .where('window_start', '=', windowStart)
    .execute();

/** A node whose clock is behind counts in the window that the others have begun. */
const usedBefore = sql`(case when own.window_start >= excluded.window_start then own.used else 0 end)`;
const grantable = sql`greatest(0, least(excluded.granted, excluded.quota_limit - ${usedBefore}))`;

/** Marks a quota as exceeded in its current window. True for one caller in each window, of all nodes. */
export async function markExceeded(
  db: Db,
  { subject, quota }: Pick<Claim, 'subject' | 'quota'>,
): Promise<boolean> {
  const marked = await db
    .updateTable('quota_use')
    .set((eb) => ({ exceeded_window: eb.ref('window_start') }))
    .where('subject', '=', subject)
    .where('quota', '=', quota)
    .where(sql<boolean>`exceeded_window is distinct from window_start`)
    .returning('quota')
    .executeTakeFirst();
  return marked !== undefined;
}

/** The latest window of each quota of these subjects. */
export const usesOf = (db: Db, subjects: readonly string[]): Promise<QuotaUse[]> =>
  db
    .selectFrom('quota_use')
    .selectAll()
    .where(sql<boolean>`subject = any(${[...subjects]}::text[])`)
    .orderBy('subject')
    .orderBy('quota')
    .execute();

/** Longer than the longest window. */
const KEEP_USES_MS = 2 * DAY_MS;

/** Deletes counts whose window has ended. */
export const sweepUses: Sweep = ({ db, now }) =>
  db
    .deleteFrom('quota_use')
    .where('window_start', '<', new Date(now - KEEP_USES_MS))
    .execute();

/** An account of a realm that has devices. */
export interface Account {
  readonly realmUuid: string;
  readonly pushAccountId: bigint | number;
}

/** For each account, the hashes of the tokens of its living devices. */
export async function tokensOfAccounts(
  db: Db,
  accounts: readonly Account[],
): Promise<(readonly Buffer[])[]> {
  // For a join, PostgreSQL may read all devices; for a subquery it uses the index.
  const { rows } = await sql<{ tokens: Buffer[] }>`
    select array(
      select token_hash from device
      where realm_uuid = asked.realm_uuid and push_account_id = asked.push_account_id
        and expired_at is null
    ) as tokens
    from unnest(
      ${accounts.map(({ realmUuid }) => realmUuid)}::uuid[],
      ${accounts.map(({ pushAccountId }) => pushAccountId)}::bigint[]
    ) with ordinality as asked (realm_uuid, push_account_id, place)
    order by place`.execute(db);
  return rows.map(({ tokens }) => tokens);
}

/** A token by the name that a realm has for it. */
export interface NamedToken {
  readonly realmUuid: string;
  readonly tokenId: string;
}

/** For each token, whether a living device is named by it. */
export async function hasTokens(db: Db, tokens: readonly NamedToken[]): Promise<boolean[]> {
  const { rows } = await sql<{ is_registered: boolean }>`
    select exists (
      select from device
      where realm_uuid = asked.realm_uuid and token_id = asked.token_id and expired_at is null
    ) as is_registered
    from unnest(
      ${tokens.map(({ realmUuid }) => realmUuid)}::uuid[],
      ${tokens.map(({ tokenId }) => tokenIdBytes(tokenId))}::bytea[]
    ) with ordinality as asked (realm_uuid, token_id, place)
    order by place`.execute(db);
  return rows.map(({ is_registered }) => is_registered);
}

export const countRealms = async (db: Db, serverUuid: string): Promise<number> =>
  (
    await db
      .selectFrom('remote_realm')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('server_uuid', '=', serverUuid)
      .executeTakeFirstOrThrow()
  ).count;

/** Devices that are not dead. */
export const countDevices = {
  realm: async (db: Db, realmUuid: string): Promise<number> =>
    (
      await db
        .selectFrom('device')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('realm_uuid', '=', realmUuid)
        .where('expired_at', 'is', null)
        .executeTakeFirstOrThrow()
    ).count,
  server: async (db: Db, serverUuid: string): Promise<number> =>
    (
      await db
        .selectFrom('device')
        .innerJoin('remote_realm', 'remote_realm.realm_uuid', 'device.realm_uuid')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('remote_realm.server_uuid', '=', serverUuid)
        .where('expired_at', 'is', null)
        .executeTakeFirstOrThrow()
    ).count,
};
