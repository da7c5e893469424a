import type { RealmId, RecipientId, UserId } from '@bellhop/protocol';
import { sql } from 'kysely';

import type { Db } from '../../../engine/call.ts';
import type { Realm, User } from '../../../engine/caller.ts';
import { isOneInGroup } from '../../user-groups/access.ts';
import { groupIncludesRole } from '../../user-groups/membership.ts';

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
 * `postableChannels`. The members of a group are asked only where the role of the sender does not do.
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
      select n.at, (select r.id from recipient r
        where r.realm_id = ${id} and r.user_ids = n.participants) as recipient_id,
        ${hasRole(id, group_settings.direct_message_permission_group)} as is_permitted,
        ${hasRole(id, group_settings.direct_message_initiator_group)} as may_initiate
      from json_to_recordset(${JSON.stringify(wanted)}::json)
        n (at integer, sender bigint, participants bigint[])
    )
    select a.recipient_id, a.is_permitted, a.recipient_id is not null or a.may_initiate as may_initiate
    from a order by a.at`.execute(db);
  const { direct_message_permission_group: permitted, direct_message_initiator_group: initiators } =
    group_settings;
  const found: DirectConversation[] = [];
  for (const [at, { sender, participant_ids: users }] of requests.entries()) {
    const row = rows[at];
    if (!row) throw new Error('A conversation that was asked for is missing');
    found.push({
      recipient_id: row.recipient_id,
      is_permitted: row.is_permitted || (await isOneInGroup(db, id, { group: permitted, users })),
      may_initiate:
        row.may_initiate || (await isOneInGroup(db, id, { group: initiators, users: [sender.id] })),
    });
  }
  return found;
}

/**
 * Whether the role of the sender of a row `n` makes them a member of a group. Members by name or by a
 * subgroup do not count here.
 */
const hasRole = (realm: RealmId, group: number) => sql<boolean>`exists (
  select from user_group g join realm_user u on u.realm_id = g.realm_id and u.id = n.sender
  join realm r on r.id = g.realm_id
  where g.realm_id = ${realm} and g.id = ${group} and u.is_active and ${groupIncludesRole('g', 'u', 'r')})`;
