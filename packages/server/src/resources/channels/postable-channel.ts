import type {
  ChannelId,
  MessageId,
  RealmId,
  RecipientId,
  TopicsPolicy,
  UserId,
} from '@bellhop/protocol';
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

/** A channel by name (in any letter case) or id. */
export type ChannelPlace = { readonly name: string } | { readonly id: ChannelId };

/** Finds a channel, as `sender` stands to it. */
export async function forPosting(
  db: Db,
  sender: User,
  place: ChannelPlace,
): Promise<PostableChannel | undefined> {
  const [channel] = await eachForPosting(db, sender.realm_id, [{ sender, place }]);
  return channel;
}

export interface Asked {
  readonly sender: User;
  readonly place: ChannelPlace;
}
/** The same for those who ask for the same. */
const askedKey = ({ sender, place }: Asked) =>
  'id' in place ? `${sender.id} ${place.id}` : `${sender.id} "${place.name.toLowerCase()}`;

/**
 * Finds channels of a realm, each as its sender stands to it, in the order asked. One statement, in
 * which nothing is looked up twice.
 */
export async function eachForPosting(
  db: Db,
  realm: RealmId,
  asked: readonly Asked[],
): Promise<(PostableChannel | undefined)[]> {
  const different = new Map(asked.map((one) => [askedKey(one), one]));
  const places = [...different.values()].map(({ place }) => place);
  const senders = [...different.values()].map(({ sender }) => sender);
  const names = places.map((place) => ('name' in place ? place.name.toLowerCase() : null));
  const ids = places.map((place) => ('id' in place ? place.id : null));
  const { rows } = await sql<Omit<PostableChannel, 'sees_public'> & { key: string }>`
    select a.key, c.id, c.name, c.invite_only, c.is_archived, c.topics_policy, c.first_message_id,
      r.id as recipient_id,
      array(select s.user_id from subscription s join realm_user u on u.id = s.user_id
        where s.channel_id = c.id and s.is_active and u.is_active order by s.user_id) as subscriber_ids,
      exists (select from subscription s where s.channel_id = c.id and s.is_active
        and s.user_id in (a.sender, a.owner)) as is_subscribed,
      (g.role_limit >= a.role and not g.full_members_only) is true
        or group_has_user(g.realm_id, g.id, a.sender)
        or group_has_user(g.realm_id, g.id, a.owner) is true as can_send
    from unnest(${[...different.keys()]}::text[], ${names}::text[], ${ids}::bigint[],
      ${senders.map(({ id }) => id)}::bigint[], ${senders.map(({ bot_owner_id }) => bot_owner_id)}::bigint[],
      ${senders.map(({ role }) => role)}::integer[]) a (key, name, id, sender, owner, role)
    join channel c on c.realm_id = ${realm} and c.id = coalesce(a.id, (
      select n.id from channel n where n.realm_id = ${realm} and lower(n.name) = a.name))
    join recipient r on r.channel_id = c.id
    join user_group g on g.id = c.can_send_message_group`.execute(db);
  const found = new Map(rows.map(({ key, ...channel }) => [key, channel]));
  return asked.map((one) => {
    const channel = found.get(askedKey(one));
    return channel && { ...channel, sees_public: one.sender.role < roles.guest };
  });
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
