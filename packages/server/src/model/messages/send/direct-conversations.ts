import type { RealmId, RecipientId, UserId } from '@bellhop/protocol';
import { sql } from 'kysely';

import type { Db } from '../../../engine/call.ts';
import type { Realm, User } from '../../../engine/caller.ts';

/** A direct conversation with the settings that decide whether the sender may write in it. */
export interface DirectConversation {
  /** Null if nobody has written in it. */
  readonly recipient_id: RecipientId | null;
  /** Whether a participant is in direct_message_permission_group. */
  readonly is_permitted: boolean;
  /** Whether the conversation exists or the sender is in direct_message_initiator_group. */
  readonly may_initiate: boolean;
}

interface ConversationRequest {
  readonly sender: User;
  /** The participants in ascending order; users who do not exist have no conversation. */
  readonly participant_ids: readonly UserId[];
}

/**
 * The conversations of requests of one realm, in their order: one statement, planned once, as
 * `postableChannels`. The role of the sender decides before `group_has_user`, which takes longer than
 * all the rest.
 */
export async function directConversations(
  db: Db,
  { id, group_settings }: Realm,
  requests: readonly ConversationRequest[],
): Promise<DirectConversation[]> {
  const wanted = requests.map(({ sender, participant_ids }, at) => ({
    at,
    sender: sender.id,
    participants: participant_ids,
  }));
  const { rows } = await sql<DirectConversation>`
    with a as materialized (
      select n.*, (select r.id from recipient r
        where r.realm_id = ${id} and r.user_ids = n.participants) as recipient_id,
        ${hasRole(id, group_settings.direct_message_permission_group)} as is_permitted,
        ${hasRole(id, group_settings.direct_message_initiator_group)} as may_initiate
      from json_to_recordset(${JSON.stringify(wanted)}::json)
        n (at integer, sender bigint, participants bigint[])
    )
    select a.recipient_id,
      a.is_permitted or exists (select from unnest(a.participants) p (id)
        where group_has_user(${id}, ${group_settings.direct_message_permission_group}, p.id))
        as is_permitted,
      a.recipient_id is not null or a.may_initiate
        or group_has_user(${id}, ${group_settings.direct_message_initiator_group}, a.sender)
        as may_initiate
    from a order by a.at`.execute(db);
  return rows;
}

/**
 * Whether the role of the sender of a row `n` makes them a member of a group. Members by name or by a
 * subgroup do not count here.
 */
const hasRole = (realm: RealmId, group: number) => sql<boolean>`exists (
  select from user_group g join realm_user u on u.realm_id = g.realm_id and u.id = n.sender
  join realm r on r.id = g.realm_id
  where g.realm_id = ${realm} and g.id = ${group} and u.is_active and group_includes_role(g, u, r))`;
