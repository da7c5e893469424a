import { type ChannelId, type RecipientId, roles } from '@bellhop/protocol';
import { type RawBuilder, sql } from 'kysely';

import type { Db } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';

type Ids = RawBuilder<{ id: ChannelId }>;

/**
 * What `readsChannel` answers for those who are not subscribed: channels on the web for everybody,
 * public ones for all but guests, and those that a permission opens to them.
 */
const isOpenTo = ({
  id,
  realm_id,
  role,
}: User) => sql`(c.is_web_public or (${role < roles.guest}::boolean
  and (not c.invite_only or array[c.can_subscribe_group, c.can_add_subscribers_group]
    && (select array_agg(g) from groups_of(${realm_id}, ${id}) g))))`;

/** The same, asked of any channel `c` and user `u`. */
export const opensTo = sql`(c.is_web_public or (u.role < ${sql.lit(roles.guest)}
  and (not c.invite_only or group_has_user(c.realm_id, c.can_subscribe_group, u.id)
    or group_has_user(c.realm_id, c.can_add_subscribers_group, u.id))))`;

const withSubscription = ({ id, realm_id }: User) => sql`channel c
  left join subscription s on s.channel_id = c.id and s.user_id = ${id} and s.is_active
  where c.realm_id = ${realm_id}`;

/** A private channel may keep what was said before somebody came from them (`sharesHistory`, in SQL). */
const showsHistory = sql`(not c.invite_only or c.history_public_to_subscribers)`;

/** Whether those who may read a channel may read what was said before they came. */
export const sharesHistory = (channel: {
  readonly invite_only: boolean;
  readonly history_public_to_subscribers: boolean;
}): boolean => !channel.invite_only || channel.history_public_to_subscribers;

/** Channels whose messages somebody may read if they received them. */
export const reachableChannels = (user: User): Ids =>
  sql`select c.id from ${withSubscription(user)} and (s.user_id is not null or ${isOpenTo(user)})`;

/** Channels whose whole history somebody may read, from before they came too. */
export const openChannels = (user: User): Ids =>
  sql`select c.id from ${withSubscription(user)} and ${showsHistory}
    and (s.user_id is not null or ${isOpenTo(user)})`;

/** Public channels of the realm, or those on the web. */
export const publicChannels = ({ realm_id }: User, kind: 'public' | 'web-public'): Ids =>
  kind === 'public'
    ? sql`select c.id from channel c where c.realm_id = ${realm_id} and not c.invite_only`
    : sql`select c.id from channel c where c.realm_id = ${realm_id} and c.is_web_public`;

/** Channels somebody has muted. */
export const mutedChannels = ({ id, realm_id }: User): Ids =>
  sql`select s.channel_id as id from subscription s
    where s.user_id = ${id} and s.realm_id = ${realm_id} and s.is_active and s.is_muted`;

/** A channel as a reader stands to it. */
export interface ReadableChannel {
  readonly id: ChannelId;
  readonly recipient_id: RecipientId;
  /** Its whole history may be read, not only what was received. */
  readonly is_open: boolean;
}

/**
 * The channel of this name (in any letter case) or id. A channel that the reader may not even know
 * of (see `seesChannel`) is not found.
 */
export async function forReading(
  db: Db,
  user: User,
  { name, id }: { name: string | null; id: number | null },
): Promise<ReadableChannel | undefined> {
  const { rows } = await sql<ReadableChannel>`
    select c.id, r.id as recipient_id,
      ${showsHistory} and (s.user_id is not null or ${isOpenTo(user)}) as is_open
    from channel c join recipient r on r.channel_id = c.id
    left join subscription s on s.channel_id = c.id and s.user_id = ${user.id} and s.is_active
    where c.realm_id = ${user.realm_id} and (lower(c.name) = lower(${name}) or c.id = ${id})
      and (s.user_id is not null or ${isOpenTo(user)} or ${user.role <= roles.admin}::boolean
        or (${user.role < roles.guest}::boolean
          and c.can_administer_channel_group in (select groups_of(${user.realm_id}, ${user.id}))))
    order by (lower(c.name) = lower(${name})) is true desc limit 1`.execute(db);
  return rows[0];
}
