import type { ChannelId, RealmId, UserId } from '@bellhop/protocol';
import { type Selectable, sql } from 'kysely';

import type { Db, Subscribing, Tx } from '../../../engine/call.ts';
import type { Tables } from '../../../engine/tables.ts';
import { beginReceiving, endReceiving } from './subscribers.ts';

/** A subscription with the settings of its user; what they received is for statements. */
export type SubscriptionRow = Omit<
  Selectable<Tables['subscription']>,
  'received' | 'read_through' | 'rows_before'
>;

/** The subscriptions of a user, former ones included. */
export const ofUser = (db: Db, realm: RealmId, user: UserId): Promise<SubscriptionRow[]> =>
  db
    .selectFrom('subscription')
    .selectAll()
    .where('realm_id', '=', realm)
    .where('user_id', '=', user)
    .execute();

/** The subscriptions of a channel whose users are active. */
export const ofChannel = (db: Db, realm: RealmId, channel: ChannelId): Promise<SubscriptionRow[]> =>
  db
    .selectFrom('subscription as s')
    .innerJoin('realm_user as u', (join) =>
      join.onRef('u.realm_id', '=', 's.realm_id').onRef('u.id', '=', 's.user_id'),
    )
    .selectAll('s')
    .where('s.realm_id', '=', realm)
    .where('s.channel_id', '=', channel)
    .where('s.is_active', '=', true)
    .where('u.is_active', '=', true)
    .orderBy('s.user_id')
    .execute();

/** The former subscriptions of these users to a channel. */
export const formerOfChannel = (
  db: Db,
  realm: RealmId,
  channel: ChannelId,
  users: readonly UserId[],
): Promise<SubscriptionRow[]> =>
  db
    .selectFrom('subscription')
    .selectAll()
    .where('realm_id', '=', realm)
    .where('channel_id', '=', channel)
    .where(sql<boolean>`user_id = any(${users}::bigint[])`)
    .where('is_active', '=', false)
    .execute();

/** The active users subscribed to each of these channels. */
export async function subscribersOf(
  db: Db,
  realm: RealmId,
  ids: readonly ChannelId[],
): Promise<Map<ChannelId, UserId[]>> {
  const { rows } = await sql<{ channel_id: ChannelId; user_ids: UserId[] }>`
    select s.channel_id, array_agg(s.user_id order by s.user_id) as user_ids
    from subscription s join realm_user u on u.realm_id = s.realm_id and u.id = s.user_id
    where s.realm_id = ${realm} and s.is_active and u.is_active and s.channel_id = any(${ids}::bigint[])
    group by s.channel_id`.execute(db);
  return new Map(rows.map(({ channel_id, user_ids }) => [channel_id, user_ids]));
}

/** The users subscribed to any of these channels, deactivated ones included. */
export async function sharersOf(
  db: Db,
  realm: RealmId,
  ids: readonly ChannelId[],
): Promise<UserId[]> {
  const rows = await db
    .selectFrom('subscription')
    .select('user_id')
    .distinct()
    .where('realm_id', '=', realm)
    .where('is_active', '=', true)
    .where(sql<boolean>`channel_id = any(${ids}::bigint[])`)
    .execute();
  return rows.map(({ user_id }) => user_id);
}

/** The colours of each user's subscriptions. */
export async function colorsOf(
  db: Db,
  realm: RealmId,
  users: readonly UserId[],
): Promise<Map<UserId, string[]>> {
  const { rows } = await sql<{ user_id: UserId; colors: string[] }>`
    select user_id, array_agg(color order by channel_id) as colors from subscription
    where realm_id = ${realm} and user_id = any(${users}::bigint[]) group by user_id`.execute(db);
  return new Map(rows.map(({ user_id, colors }) => [user_id, colors]));
}

export interface NewSubscription {
  readonly channel_id: ChannelId;
  readonly user_id: UserId;
  readonly color: string;
}

/** Inserts or reactivates subscriptions and returns those that changed; old settings are kept. */
export async function subscribe(
  change: Subscribing,
  realm: RealmId,
  wanted: readonly NewSubscription[],
): Promise<SubscriptionRow[]> {
  const { rows } = await sql<SubscriptionRow>`
    insert into subscription as known (realm_id, channel_id, user_id, color)
    select ${realm}, w.* from unnest(${wanted.map(({ channel_id }) => channel_id)}::bigint[],
      ${wanted.map(({ user_id }) => user_id)}::bigint[], ${wanted.map(({ color }) => color)}::text[]) w
    on conflict (realm_id, user_id, channel_id) do update set is_active = true where not known.is_active
    returning *`.execute(change.db);
  change.membersChanged('join', rows);
  beginReceiving(change, realm, rows);
  return rows;
}

/** Ends subscriptions and returns those that were active; their settings are kept. */
export async function unsubscribe(
  change: Subscribing,
  realm: RealmId,
  {
    channels,
    users,
  }: { readonly channels: readonly ChannelId[]; readonly users: readonly UserId[] },
): Promise<Pick<SubscriptionRow, 'channel_id' | 'user_id'>[]> {
  const { rows } = await sql<Pick<SubscriptionRow, 'channel_id' | 'user_id'>>`
    update subscription set is_active = false
    where realm_id = ${realm} and channel_id = any(${channels}::bigint[])
      and user_id = any(${users}::bigint[]) and is_active
    returning channel_id, user_id`.execute(change.db);
  change.membersChanged('leave', rows);
  endReceiving(change, realm, rows);
  return rows;
}

/** Changes one setting of a subscription. */
export async function setProperty<P extends keyof PersonalColumns>(
  tx: Tx,
  { realm_id, user_id, channel_id }: Pick<SubscriptionRow, 'realm_id' | 'user_id' | 'channel_id'>,
  [property, value]: readonly [P, PersonalColumns[P]],
): Promise<void> {
  await tx
    .updateTable('subscription')
    .set({ [property]: value })
    .where('realm_id', '=', realm_id)
    .where('user_id', '=', user_id)
    .where('channel_id', '=', channel_id)
    .execute();
}

/** The settings of one user for one channel. */
export type PersonalColumns = Omit<
  SubscriptionRow,
  'realm_id' | 'channel_id' | 'user_id' | 'is_active'
>;
