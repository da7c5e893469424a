import type { ChannelId, MessageId, UserId } from '@bellhop/protocol';
import { sql } from 'kysely';

import type { Change } from '../../../engine/call.ts';
import type { Realm } from '../../../engine/caller.ts';
import { flagBits } from '../read/flags.ts';

interface ReadChannel {
  readonly user_id: UserId;
  readonly channel_id: ChannelId;
}

/** Marks all messages of channels as read for users, with an event to each of them. */
export async function markChannelsRead(
  { db, emit }: Pick<Change<'update_message_flags'>, 'db' | 'emit'>,
  realm: Pick<Realm, 'id'>,
  pairs: readonly ReadChannel[],
): Promise<void> {
  const { rows } = await sql<{ user_id: UserId; messages: MessageId[] }>`
    with marked as (
      update user_message um set flags = um.flags | ${sql.lit(flagBits.read)}
      from unnest(${pairs.map(({ user_id }) => user_id)}::bigint[],
        ${pairs.map(({ channel_id }) => channel_id)}::bigint[]) p (user_id, channel_id), message m
      where um.realm_id = ${realm.id} and um.user_id = p.user_id
        and um.flags & ${sql.lit(flagBits.read)} = 0
        and m.realm_id = ${realm.id} and m.id = um.message_id and m.channel_id = p.channel_id
      returning um.user_id, um.message_id
    )
    select user_id, array_agg(message_id order by message_id) as messages
    from marked group by user_id`.execute(db);
  for (const { user_id, messages } of rows)
    emit(
      {
        type: 'update_message_flags',
        op: 'add',
        operation: 'add',
        flag: 'read',
        messages,
        all: false,
      },
      [user_id],
    );
}
