import { lowerAll } from '@bellhop/postgres';
import {
  type ChannelFolderId,
  type ChannelGroupSetting,
  channelGroupSettings,
  type ChannelId,
  type RealmId,
  type UserGroupId,
  type UserId,
  type MessageId,
  type TopicsPolicy,
} from '@bellhop/protocol';
import { type ColumnType, type Generated, type RawBuilder, type Selectable, sql } from 'kysely';

import type { Db, Tx } from '../../engine/call.ts';
import type { Tables } from '../../engine/tables.ts';
import { isPastWaitingPeriod } from '../user-groups/membership.ts';
import { isVisible, sharesHistory, viewerGroups } from './channel-rights.ts';

type GroupSettings = Record<ChannelGroupSetting, UserGroupId>;

declare module '../../engine/tables.ts' {
  interface Tables {
    channel: GroupSettings & {
      id: Generated<ChannelId>;
      realm_id: RealmId;
      name: string;
      description: Generated<string>;
      rendered_description: Generated<string>;
      creator_id: UserId | null;
      invite_only: Generated<boolean>;
      is_web_public: Generated<boolean>;
      is_archived: Generated<boolean>;
      is_default: Generated<boolean>;
      history_public_to_subscribers: Generated<boolean>;
      message_retention_days: number | null;
      folder_id: ChannelFolderId | null;
      topics_policy: Generated<TopicsPolicy>;
      first_message_id: MessageId | null;
      recent_messages: Generated<number>;
      date_created: Generated<Date>;
    };
    subscription: {
      realm_id: RealmId;
      channel_id: ChannelId;
      user_id: UserId;
      /** Only `subscribe` and `unsubscribe` change it, which tell the log. */
      is_active: ColumnType<boolean, never, never>;
      color: string;
      is_muted: Generated<boolean>;
      pin_to_top: Generated<boolean>;
      audible_notifications: boolean | null;
      desktop_notifications: boolean | null;
      email_notifications: boolean | null;
      push_notifications: boolean | null;
      wildcard_mentions_notify: boolean | null;
      /** The ids of the messages that the user received if they were sent in the channel, as PostgreSQL prints them. */
      received: Generated<string>;
      /** The user has read what they received up to this id. */
      read_through: Generated<number>;
      /** Everybody who received messages with lower ids has a row for each; null: there are none. */
      rows_before: number | null;
    };
  }
}

type Row = Selectable<Tables['channel']>;

/** A channel with the values that are computed. */
export interface ChannelRow extends Row {
  readonly subscriber_count: number;
  /** Its readers may read messages from before they could read it. */
  readonly shares_history: boolean;
  /** When its newest message was sent. */
  readonly last_sent_at: number | null;
}

/**
 * Channels of a realm, all or those that match a condition over `c`. Their subscribers are counted with
 * one scan of the index on active subscriptions, without those of deactivated users.
 */
function inRealm(db: Db, realm: RealmId, isChosen?: RawBuilder<boolean>): Promise<ChannelRow[]> {
  const chosen = isChosen
    ? sql`and s.channel_id in (select c.id from channel c where c.realm_id = ${realm} and ${isChosen})`
    : sql``;
  const counted = sql<{ channel_id: ChannelId; subscribers: number }>`(
    select channel_id, sum(people)::bigint as subscribers from (
      select s.channel_id, count(*) as people from subscription s
      where s.realm_id = ${realm} and s.is_active ${chosen} group by s.channel_id
      union all
      select s.channel_id, -count(*) from realm_user u
      join subscription s on s.realm_id = u.realm_id and s.user_id = u.id and s.is_active ${chosen}
      where u.realm_id = ${realm} and not u.is_active group by s.channel_id
    ) n group by channel_id)`;
  return db
    .selectFrom('channel as c')
    .leftJoin(counted.as('counted'), 'counted.channel_id', 'c.id')
    .selectAll('c')
    .select([
      sharesHistory('c').as('shares_history'),
      sql<number>`coalesce(counted.subscribers, 0)`.as('subscriber_count'),
      sql<number | null>`(select m.sent_at from message m where m.realm_id = ${realm}
        and m.recipient_id = (select r.id from recipient r
          where r.realm_id = ${realm} and r.channel_id = c.id)
        order by m.id desc limit 1)`.as('last_sent_at'),
    ])
    .where('c.realm_id', '=', realm)
    .where(isChosen ?? sql<boolean>`true`)
    .orderBy('c.id')
    .execute();
}

export const all = (db: Db, realm: RealmId): Promise<ChannelRow[]> => inRealm(db, realm);

export const byIds = (db: Db, realm: RealmId, ids: readonly ChannelId[]): Promise<ChannelRow[]> =>
  inRealm(db, realm, sql`c.id = any(${ids}::bigint[])`);

/** Channels by name, in any letter case. */
export const byNames = (db: Db, realm: RealmId, names: readonly string[]): Promise<ChannelRow[]> =>
  inRealm(db, realm, sql`lower(c.name) = any(${lowerAll(names)})`);

type NewRow = Pick<
  Row,
  | 'realm_id'
  | 'name'
  | 'description'
  | 'rendered_description'
  | 'creator_id'
  | 'invite_only'
  | 'is_web_public'
  | 'is_default'
  | 'history_public_to_subscribers'
  | 'message_retention_days'
  | 'topics_policy'
  | 'folder_id'
  | 'date_created'
  | ChannelGroupSetting
>;

/** Stores a channel and its recipient; undefined if the name is taken. */
export async function insert(tx: Tx, row: NewRow): Promise<ChannelId | undefined> {
  const made = await tx
    .insertInto('channel')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (made)
    await tx
      .insertInto('recipient')
      .values({ realm_id: row.realm_id, channel_id: made.id })
      .execute();
  return made?.id;
}

/** The columns that an update of a channel may set. */
export type ChannelColumns = Readonly<
  Partial<Omit<Row, 'realm_id' | 'id' | 'creator_id' | 'date_created' | 'first_message_id'>>
>;

/** Changes a channel; false if its new name is taken: then the transaction has failed. */
export async function update(
  tx: Tx,
  { realm_id, id }: Pick<Row, 'realm_id' | 'id'>,
  columns: ChannelColumns,
): Promise<boolean> {
  if (Object.keys(columns).length === 0) return true;
  try {
    await tx
      .updateTable('channel')
      .set(columns)
      .where('realm_id', '=', realm_id)
      .where('id', '=', id)
      .execute();
    return true;
  } catch (error) {
    if (constraintOf(error) === 'channel_name') return false;
    throw error;
  }
}

/** The archived channels among these. */
export async function archivedAmong(
  db: Db,
  realm: RealmId,
  ids: readonly ChannelId[],
): Promise<Set<ChannelId>> {
  const rows = await db
    .selectFrom('channel')
    .select('id')
    .where('realm_id', '=', realm)
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .where('is_archived', '=', true)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

const constraintOf = (error: unknown): unknown =>
  error instanceof Error && 'constraint' in error ? error.constraint : undefined;

/** The private channels that members of one of these groups may see. */
export const privateSeenBy = async (
  db: Db,
  realm: RealmId,
  groups: readonly UserGroupId[],
): Promise<ChannelId[]> =>
  (
    await db
      .selectFrom('channel as c')
      .select('id')
      .where('realm_id', '=', realm)
      .where('invite_only', '=', true)
      .where(sql<boolean>`${viewerGroups('c')} && ${groups}::bigint[]`)
      .orderBy('id')
      .execute()
  ).map(({ id }) => id);

/** Whether a folder contains a channel, archived ones included. */
export const hasFolder = async (db: Db, realm: RealmId, id: ChannelFolderId): Promise<boolean> =>
  (await db
    .selectFrom('channel')
    .select('id')
    .where('realm_id', '=', realm)
    .where('folder_id', '=', id)
    .limit(1)
    .executeTakeFirst()) !== undefined;

/** The channels that new users are subscribed to. */
export const defaultIds = async (db: Db, realm: RealmId): Promise<ChannelId[]> =>
  (
    await db
      .selectFrom('channel')
      .select('id')
      .where('realm_id', '=', realm)
      .where('is_default', '=', true)
      .where('is_archived', '=', false)
      .orderBy('id')
      .execute()
  ).map(({ id }) => id);

/** The channels with a permission setting whose stored group is among these. */
export const usingGroups = (
  db: Db,
  realm: RealmId,
  groups: readonly UserGroupId[],
): Promise<Pick<Row, 'id' | 'name' | 'is_archived' | ChannelGroupSetting>[]> =>
  db
    .selectFrom('channel')
    .select(['id', 'name', 'is_archived', ...channelGroupSettings])
    .where('realm_id', '=', realm)
    .where((eb) => eb.or(channelGroupSettings.map((name) => eb(name, 'in', groups))))
    .orderBy('id')
    .execute();

/**
 * The active users who may see each of these channels; channels without viewers are omitted. For
 * users in `newcomers` the result is that of their waiting period, even if it has ended.
 */
export async function viewersOf(
  db: Db,
  realm: RealmId,
  ids: readonly ChannelId[],
  newcomers: readonly UserId[] = [],
): Promise<Map<ChannelId, UserId[]>> {
  const visible = isVisible('c', {
    role: sql`u.role`,
    isSubscribed: sql`(c.id, u.id) in (select s.channel_id, s.user_id from subscription s
      where s.realm_id = ${realm} and s.channel_id = any(${ids}::bigint[]) and s.is_active)`,
    inGroup: sql`role.any_limit >= u.role
      or role.full_limit >= u.role and u.id not in (select n.id from newcomer n)
      or (c.id, u.id) in (select m.channel_id, m.user_id from member m)`,
  });
  // Memberships of all users at once: rightsInChannels looks them up for one user at a time.
  const { rows } = await sql<{ channel_id: ChannelId; user_ids: UserId[] }>`
    with recursive nested (channel_id, id) as (
      select c.id, g.id from channel c, unnest(${viewerGroups('c')}) g (id)
      where c.realm_id = ${realm} and c.id = any(${ids}::bigint[])
      union
      select n.channel_id, s.subgroup_id from nested n
      join user_group_subgroup s on s.realm_id = ${realm} and s.group_id = n.id
    ), member (channel_id, user_id) as (
      select n.channel_id, m.user_id from nested n
      join user_group_member m on m.realm_id = ${realm} and m.group_id = n.id
    ), role (channel_id, any_limit, full_limit) as (
      select n.channel_id, max(g.role_limit) filter (where not g.full_members_only),
        max(g.role_limit) filter (where g.full_members_only)
      from nested n join user_group g on g.realm_id = ${realm} and g.id = n.id group by n.channel_id
    ), newcomer (id) as (
      select u.id from realm_user u join realm r on r.id = u.realm_id
      where r.id = ${realm} and not ${isPastWaitingPeriod('u', 'r')}
      union all
      select unnest(${newcomers}::bigint[])
    )
    select c.id as channel_id, array_agg(u.id order by u.id) as user_ids
    from channel c join role on role.channel_id = c.id
    join realm_user u on u.realm_id = c.realm_id and u.is_active and not u.is_system_bot
    where c.realm_id = ${realm} and c.id = any(${ids}::bigint[]) and ${visible}
    group by c.id`.execute(db);
  return new Map(rows.map(({ channel_id, user_ids }) => [channel_id, user_ids]));
}
