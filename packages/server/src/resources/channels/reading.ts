import { type ChannelId, type RecipientId, roles } from '@bellhop/protocol';
import { type RawBuilder, sql } from 'kysely';

import type { Db } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';

type Ids = RawBuilder<{ id: ChannelId }>;

/** Public channels are open to everybody but guests. */
const isPublicTo = ({ role }: User) => sql`(not c.invite_only and ${role < roles.guest}::boolean)`;

const withSubscription = ({ id, realm_id }: User) => sql`channel c
  left join subscription s on s.channel_id = c.id and s.user_id = ${id} and s.is_active
  where c.realm_id = ${realm_id}`;

/** Channels whose messages somebody may read if they received them. */
export const reachableChannels = (user: User): Ids =>
  sql`select c.id from ${withSubscription(user)} and (${isPublicTo(user)} or s.user_id is not null)`;

/** Channels whose whole history somebody may read, from before they came too. */
export const openChannels = (user: User): Ids =>
  sql`select c.id from ${withSubscription(user)}
    and (${isPublicTo(user)} or (s.user_id is not null and c.history_public_to_subscribers))`;

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
 * of is not found: private ones are known to their subscribers and to administrators.
 */
export async function forReading(
  db: Db,
  user: User,
  { name, id }: { name: string | null; id: number | null },
): Promise<ReadableChannel | undefined> {
  const { rows } = await sql<ReadableChannel>`
    select c.id, r.id as recipient_id,
      ${isPublicTo(user)} or (s.user_id is not null and c.history_public_to_subscribers) as is_open
    from channel c join recipient r on r.channel_id = c.id
    left join subscription s on s.channel_id = c.id and s.user_id = ${user.id} and s.is_active
    where c.realm_id = ${user.realm_id} and (lower(c.name) = lower(${name}) or c.id = ${id})
      and (${isPublicTo(user)} or s.user_id is not null or ${user.role <= roles.admin}::boolean)
    order by (lower(c.name) = lower(${name})) is true desc limit 1`.execute(db);
  return rows[0];
}
