import { lowerAll } from '@bellhop/postgres';
import type { ChannelId, RecipientId } from '@bellhop/protocol';
import { type RawBuilder, sql } from 'kysely';

import type { Db } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';
import { channelRights } from './access.ts';

type Ids = RawBuilder<{ id: ChannelId }>;

type Reader = Pick<User, 'id' | 'realm_id'>;

/** Channels in which a user may read the messages they received, or with `shows_history` every message. */
export const readableChannels = (
  user: User,
): RawBuilder<Pick<VisibleChannel, 'id' | 'shows_history'>> =>
  sql`select channel_id as id, reads_history as shows_history from ${channelRights(user)} where reads_content`;

/** Public or web-public channels of the realm, readable by the user or not. */
export const publicChannels = ({ realm_id }: User, kind: 'public' | 'web-public'): Ids =>
  kind === 'public'
    ? sql`select c.id from channel c where c.realm_id = ${realm_id} and not c.invite_only`
    : sql`select c.id from channel c where c.realm_id = ${realm_id} and c.is_web_public`;

/** Channels that may have unread messages for a user: those of their subscriptions that are not archived. */
export const channelsWithUnread = ({ id, realm_id }: User): Ids =>
  sql`select s.channel_id as id from subscription s
    join channel c on c.realm_id = s.realm_id and c.id = s.channel_id and not c.is_archived
    where s.user_id = ${id} and s.realm_id = ${realm_id} and s.is_active`;

/** Channels that a user has muted. */
export const mutedChannels = ({ id, realm_id }: User): Ids =>
  sql`select s.channel_id as id from subscription s
    where s.user_id = ${id} and s.realm_id = ${realm_id} and s.is_active and s.is_muted`;

export interface VisibleChannel {
  readonly id: ChannelId;
  readonly name: string;
  readonly recipient_id: RecipientId;
  readonly is_readable: boolean;
  /** The user may read every message, not only those they received. */
  readonly shows_history: boolean;
}

/** The channel of this name (in any letter case) or id; undefined if the user may not see it. */
export async function visibleChannel(
  db: Db,
  user: Reader,
  { name, id }: { readonly name: string | null; readonly id: number | null },
): Promise<VisibleChannel | undefined> {
  const { rows } = await sql<VisibleChannel>`
    select c.id, c.name, r.id as recipient_id, rights.reads_content as is_readable,
      rights.reads_history as shows_history
    from ${channelRights(user)}
    join channel c on c.realm_id = ${user.realm_id} and c.id = rights.channel_id
    join recipient r on r.realm_id = c.realm_id and r.channel_id = c.id
    where rights.sees_metadata and (lower(c.name) = lower(${name}) or c.id = ${id})
    order by (lower(c.name) = lower(${name})) is true desc limit 1`.execute(db);
  return rows[0];
}

/**
 * The channels of these names (in any letter case) that a user may see: only these become links in
 * their messages.
 */
export async function linkableChannels(
  db: Db,
  user: User,
  names: readonly string[],
): Promise<Pick<VisibleChannel, 'id' | 'name'>[]> {
  if (names.length === 0) return [];
  const { rows } = await sql<Pick<VisibleChannel, 'id' | 'name'>>`
    select c.id, c.name from ${channelRights(user)}
    join channel c on c.realm_id = ${user.realm_id} and c.id = rights.channel_id
    where rights.sees_metadata and lower(c.name) = any(${lowerAll(names)})`.execute(db);
  return rows;
}
