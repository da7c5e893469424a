import type { ChannelId, MessageId, RealmId } from '@bellhop/protocol';
import { sql } from 'kysely';

import type { Tx } from '../../../engine/call.ts';
import type { User } from '../../../engine/caller.ts';
import { isReceivedBy } from '../read/received.ts';

/** Messages whose rows one statement deletes: with 50,000 each it ends within the time limit. */
const MESSAGES_OF_STATEMENT = 25;

/** Deletes messages for all their recipients. */
export async function deleteMessages(
  tx: Tx,
  realm: RealmId,
  ids: readonly MessageId[],
): Promise<void> {
  for (let at = 0; at < ids.length; at += MESSAGES_OF_STATEMENT) {
    const some = ids.slice(at, at + MESSAGES_OF_STATEMENT);
    await sql`delete from user_message
      where realm_id = ${realm} and message_id = any(${some}::bigint[])`.execute(tx);
  }
  await sql`delete from message
    where realm_id = ${realm} and id = any(${ids}::bigint[])`.execute(tx);
}

/**
 * Locks the newest messages of a topic, of all its messages or of those that the user received. Locks
 * and returns the oldest of them first, as a move does.
 */
export async function lockTopicPage(
  tx: Tx,
  user: Pick<User, 'id' | 'realm_id'>,
  {
    channel,
    topic,
    history,
    limit,
  }: {
    readonly channel: ChannelId;
    readonly topic: string;
    readonly history: boolean;
    readonly limit: number;
  },
): Promise<MessageId[]> {
  const received = history ? sql`true` : isReceivedBy(user.realm_id, sql`${user.id}`);
  const { rows } = await sql<{ id: MessageId }>`
    select m.id from message m
    where m.realm_id = ${user.realm_id} and m.channel_id = ${channel}
      and lower(m.topic) = lower(${topic}) and m.id = any(array(
        select m.id from message m
        where m.realm_id = ${user.realm_id} and m.channel_id = ${channel}
          and lower(m.topic) = lower(${topic}) and ${received}
        order by m.id desc limit ${limit}))
    order by m.id for update of m`.execute(tx);
  return rows.map(({ id }) => id);
}
