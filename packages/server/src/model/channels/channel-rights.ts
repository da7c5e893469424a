import type { RealmId } from '@bellhop/protocol';
import { type RawBuilder, sql } from 'kysely';

import { groupHasUser, groupsWithUser, type Operand } from '../user-groups/membership.ts';

/**
 * What a user may do in a channel, as parts of statements. All is decided here: `rightsInChannels` has the
 * rights of one user; the functions before it are its parts, for statements over many users. Each is one
 * expression over a row of channel. A setting that may not be role:everyone gives guests nothing, in whichever
 * group they are (permission-settings.ts).
 */

/** What is known of a user: expressions of the statement. */
interface Standing {
  readonly role: RawBuilder<unknown>;
  readonly isSubscribed: RawBuilder<unknown>;
  /** They are in one of the groups that the rule names. */
  readonly inGroup: RawBuilder<unknown>;
}

/** The groups whose members, guests excepted, may read a channel. */
const readerGroups = (channel: string): RawBuilder<unknown> => {
  const c = sql.id(channel);
  return sql`array[${c}.can_subscribe_group, ${c}.can_add_subscribers_group]`;
};

/** The groups whose members, guests excepted, may see that a channel exists. */
export const viewerGroups = (channel: string): RawBuilder<unknown> => {
  const c = sql.id(channel);
  return sql`array[${c}.can_subscribe_group, ${c}.can_add_subscribers_group,
    ${c}.can_administer_channel_group]`;
};

/** Whether a user may read the messages of a channel and subscribe to it: by `readerGroups`. */
function isReadable(channel: string, user: Standing): RawBuilder<boolean> {
  const c = sql.id(channel);
  return sql`(${user.isSubscribed} or ${c}.is_web_public
    or (${user.role} < 600 and (not ${c}.invite_only or ${user.inGroup})))`;
}

/**
 * Whether a user may see name, description, settings and subscribers of a channel: `isReadable` by the larger
 * `viewerGroups`, and whoever administers the organization.
 */
export const isVisible = (channel: string, user: Standing): RawBuilder<boolean> =>
  sql`(${user.role} <= 200 or ${isReadable(channel, user)})`;

/** Whether readers may read messages that were sent before they subscribed. */
export const sharesHistory = (channel: string): RawBuilder<boolean> => {
  const c = sql.id(channel);
  return sql`(not ${c}.invite_only or ${c}.history_public_to_subscribers)`;
};

/** `isReadable` for any user, a row of realm_user. Looks up their groups, so use it for few of them. */
export function isReadableBy(
  realm: RealmId,
  channel: string,
  user: { readonly row: string; readonly isSubscribed: RawBuilder<unknown> },
): RawBuilder<boolean> {
  const [c, u] = [sql.id(channel), sql.id(user.row)];
  return isReadable(channel, {
    role: sql`${u}.role`,
    isSubscribed: user.isSubscribed,
    inGroup: sql`${groupHasUser(realm, sql`${c}.can_subscribe_group`, sql`${u}.id`)}
      or ${groupHasUser(realm, sql`${c}.can_add_subscribers_group`, sql`${u}.id`)}`,
  });
}

/**
 * Whether a user may post in a channel: guests only where they are subscribed, others also in public channels,
 * nobody in an archived one. isSubscribed and inGroup: the sender, or the owner of a sending bot; the group is
 * can_send_message_group.
 */
export function takesPosts(channel: string, user: Standing): RawBuilder<boolean> {
  const c = sql.id(channel);
  return sql`(not ${c}.is_archived
    and (${user.isSubscribed} or (not ${c}.invite_only and ${user.role} < 600))
    and (${user.inGroup}))`;
}

/**
 * A query for what the realm permits a user in all channels, and their groups: one row. The id of no user
 * stands for a client without a login: a guest who is in no group and no channel. The offset keeps the groups
 * from being looked up once for each mention.
 */
export function rightsInRealm(realm: RealmId, viewer: Operand): RawBuilder<unknown> {
  const grants = (setting: string) =>
    sql`coalesce((r.group_settings ->> ${sql.lit(setting)})::bigint = any(u.groups), false)`;
  return sql`
    select u.role, u.groups,
      u.role < 600 and ${grants('can_add_subscribers_group')} as adds_subscribers,
      ${grants('can_move_messages_between_topics_group')} as moves_within,
      u.role < 600 and ${grants('can_move_messages_between_channels_group')} as moves_out,
      ${grants('can_resolve_topics_group')} as resolves_topics,
      u.role < 600 and ${grants('can_delete_any_message_group')} as deletes_any,
      ${grants('can_delete_own_message_group')} as deletes_own
    from realm r, (
      select coalesce((select m.role from realm_user m
          where m.realm_id = ${realm} and m.id = ${viewer}), 600) as role,
        array(${groupsWithUser(realm, viewer)}) as groups
      offset 0
    ) u
    where r.id = ${realm}`;
}

/** A query for the rights of one user in every channel of their realm. ChannelAccess says what its columns mean. */
export function rightsInChannels(realm: RealmId, viewer: Operand): RawBuilder<unknown> {
  const user = (groups: RawBuilder<unknown>): Standing => ({
    role: sql`v.role`,
    isSubscribed: sql`s.user_id is not null`,
    inGroup: sql`${groups} && v.groups`,
  });
  return sql`
    with v as materialized (${rightsInRealm(realm, viewer)})
    select c.id as channel_id, a.is_subscribed,
      a.sees as sees_metadata,
      a.reads as reads_content,
      a.reads and ${sharesHistory('c')} as reads_history,
      a.administers,
      v.role < 600 and a.reads and (a.administers or v.adds_subscribers
        or c.can_add_subscribers_group = any(v.groups)) as adds_subscribers,
      a.administers or (a.reads and c.can_remove_subscribers_group = any(v.groups))
        as removes_subscribers,
      a.administers or v.moves_within or c.can_move_messages_within_channel_group = any(v.groups)
        as moves_within,
      a.administers or v.moves_out or c.can_move_messages_out_of_channel_group = any(v.groups)
        as moves_out,
      a.administers or v.resolves_topics or c.can_resolve_topics_group = any(v.groups)
        as resolves_topics,
      v.deletes_any or c.can_delete_any_message_group = any(v.groups) as deletes_any,
      v.deletes_own or c.can_delete_own_message_group = any(v.groups) as deletes_own
    from v
    join channel c on c.realm_id = ${realm}
    left join subscription s
      on s.realm_id = ${realm} and s.user_id = ${viewer} and s.channel_id = c.id and s.is_active
    cross join lateral (select s.user_id is not null as is_subscribed,
      ${isVisible('c', user(viewerGroups('c')))} as sees,
      ${isReadable('c', user(readerGroups('c')))} as reads,
      v.role <= 200 or (v.role < 600 and c.can_administer_channel_group = any(v.groups))
        as administers) a`;
}
