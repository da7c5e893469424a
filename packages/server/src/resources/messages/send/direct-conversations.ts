import { numberArray } from '@bellhop/postgres';
import type { RecipientId } from '@bellhop/protocol';
import { sql } from 'kysely';

import type { Db } from '../../../engine/call.ts';
import type { Realm, User } from '../../../engine/caller.ts';

/** A direct conversation with what decides whether the sender may write in it. */
export interface DirectConversation {
  /** Null if nobody has written in it. */
  readonly recipient_id: RecipientId | null;
  /** Whether a participant is in direct_message_permission_group. */
  readonly is_permitted: boolean;
  /** Whether the conversation exists or the sender is in direct_message_initiator_group. */
  readonly may_initiate: boolean;
}

interface ConversationRequest {
  readonly realm: Realm;
  readonly sender: User;
  /** The participants are ordered by id. */
  readonly to: { readonly participants: readonly User[] };
}

/** The conversations of requests of one realm, in their order: one statement. */
export async function directConversations(
  db: Db,
  requests: readonly ConversationRequest[],
): Promise<DirectConversation[]> {
  const [first] = requests;
  if (!first) return [];
  const groups = (setting: `direct_message_${'permission' | 'initiator'}_group`) =>
    requests.map(({ realm }) => realm.group_settings[setting]);
  const lists = requests.map(({ to }) => numberArray(to.participants.map(({ id }) => id)));
  const { rows } = await sql<DirectConversation>`
    with a as materialized (
      select n.at, n.list::bigint[] as participants, n.sender, n.permission, n.initiator,
        (select r.id from recipient r
          where r.realm_id = ${first.realm.id} and r.user_ids = n.list::bigint[]) as recipient_id
      from unnest(${lists}::text[], ${requests.map(({ sender }) => sender.id)}::bigint[],
        ${groups('direct_message_permission_group')}::bigint[],
        ${groups('direct_message_initiator_group')}::bigint[])
        with ordinality n (list, sender, permission, initiator, at)
    )
    select a.recipient_id,
      exists (select from unnest(a.participants) p (id)
        where group_has_user(${first.realm.id}, a.permission, p.id)) as is_permitted,
      a.recipient_id is not null
        or group_has_user(${first.realm.id}, a.initiator, a.sender) as may_initiate
    from a order by a.at`.execute(db);
  return rows;
}
