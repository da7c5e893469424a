import type { MessageId, RealmId, UserId } from '@bellhop/protocol';
import { sql } from 'kysely';

import type { Db } from '../../../engine/call.ts';
import { flagBits } from '../read/flags.ts';

/** The most messages that `unread` returns; `old_unreads_missing` says whether there are more. */
export const MAX_UNREAD = 50_000;

export interface UnreadRow {
  readonly message_id: MessageId;
  readonly sender_id: UserId;
  readonly channel_id: number | null;
  readonly topic: string;
  readonly user_ids: readonly UserId[] | null;
  readonly flags: number;
}

/** A user's newest unread messages with their conversations, oldest first. */
export async function unread(db: Db, realm: RealmId, user: UserId): Promise<UnreadRow[]> {
  const { rows } = await sql<UnreadRow>`
    select um.message_id, m.sender_id, m.channel_id, m.topic, r.user_ids, um.flags
    from user_message um
    join message m on m.realm_id = um.realm_id and m.id = um.message_id
    join recipient r on r.realm_id = m.realm_id and r.id = m.recipient_id
    where um.realm_id = ${realm} and um.user_id = ${user} and um.flags & 1 = 0
    order by um.message_id desc limit ${MAX_UNREAD}`.execute(db);
  return rows.toReversed();
}

export async function starred(db: Db, realm: RealmId, user: UserId): Promise<MessageId[]> {
  const rows = await db
    .selectFrom('user_message')
    .select('message_id')
    .where('realm_id', '=', realm)
    .where('user_id', '=', user)
    .where(sql<boolean>`flags & ${sql.lit(flagBits.starred)} <> 0`)
    .orderBy('message_id')
    .execute();
  return rows.map(({ message_id }) => message_id);
}

/** A user's 1,000 newest direct message conversations, newest first. */
export async function recentConversations(db: Db, realm: RealmId, user: UserId) {
  const { rows } = await sql<{ user_ids: UserId[]; max_message_id: MessageId }>`
    select r.user_ids, max(m.id) as max_message_id
    from recipient r join message m on m.realm_id = r.realm_id and m.recipient_id = r.id
    where r.realm_id = ${realm} and r.user_ids @> array[${user}]::bigint[]
    group by r.realm_id, r.id order by max(m.id) desc limit 1000`.execute(db);
  return rows.map(({ user_ids, max_message_id }) => ({
    user_ids: user_ids.filter((id) => id !== user),
    max_message_id,
  }));
}
