import type { ChannelId, MessageId, RecipientId, TopicsPolicy, UserId } from '@bellhop/protocol';
import { roles } from '@bellhop/protocol';
import { sql } from 'kysely';

import type { Db, Tx } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';

/** A channel with what decides whether somebody may post, and whom a post reaches. */
export interface PostableChannel {
  readonly id: ChannelId;
  readonly name: string;
  readonly invite_only: boolean;
  readonly is_archived: boolean;
  readonly topics_policy: TopicsPolicy;
  readonly first_message_id: MessageId | null;
  readonly recipient_id: RecipientId;
  readonly subscriber_ids: readonly UserId[];
  /** The sender, or the owner of a sending bot, is subscribed. */
  readonly is_subscribed: boolean;
  readonly can_send: boolean;
  /** Guests reach only what they are subscribed to. */
  readonly sees_public: boolean;
}

/** Finds a channel by name (in any letter case) or id, as `sender` stands to it. One statement. */
export async function forPosting(
  db: Db,
  sender: User,
  place: { name: string } | { id: ChannelId },
): Promise<PostableChannel | undefined> {
  const which =
    'id' in place ? sql`c.id = ${place.id}` : sql`lower(c.name) = ${place.name.toLowerCase()}`;
  const owner = sender.bot_owner_id;
  const { rows } = await sql<Omit<PostableChannel, 'sees_public'>>`
    select c.id, c.name, c.invite_only, c.is_archived, c.topics_policy, c.first_message_id,
      r.id as recipient_id,
      array(select s.user_id from subscription s join realm_user u on u.id = s.user_id
        where s.channel_id = c.id and s.is_active and u.is_active order by s.user_id) as subscriber_ids,
      exists (select from subscription s where s.channel_id = c.id and s.is_active
        and s.user_id in (${sender.id}, ${owner})) as is_subscribed,
      (g.role_limit >= ${sender.role}::integer and not g.full_members_only) is true
        or group_has_user(g.id, ${sender.id}) or group_has_user(g.id, ${owner}) is true as can_send
    from channel c
    join recipient r on r.channel_id = c.id
    join user_group g on g.id = c.can_send_message_group
    where c.realm_id = ${sender.realm_id} and ${which}`.execute(db);
  const [row] = rows;
  return row && { ...row, sees_public: sender.role < roles.guest };
}

/** Channels that somebody may know of, by name in any letter case: links to others stay text. */
export async function linkable(db: Db, viewer: User, names: readonly string[]) {
  if (names.length === 0) return [];
  const { rows } = await sql<{ id: ChannelId; name: string }>`
    select c.id, c.name from channel c
    where c.realm_id = ${viewer.realm_id}
      and lower(c.name) = any(${names.map((name) => name.toLowerCase())}::text[])
      and (exists (select from subscription s where s.channel_id = c.id and s.is_active and s.user_id = ${viewer.id})
        or (not c.invite_only and ${viewer.role < roles.guest}) or ${viewer.is_system_bot})`.execute(
    db,
  );
  return rows;
}

export async function setFirstMessage(tx: Tx, id: ChannelId, message: MessageId): Promise<void> {
  await tx
    .updateTable('channel')
    .set({ first_message_id: message })
    .where('id', '=', id)
    .where('first_message_id', 'is', null)
    .execute();
}
