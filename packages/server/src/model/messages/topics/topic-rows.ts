import type { ChannelId, MessageId, RealmId } from '@bellhop/protocol';
import { type RawBuilder, sql } from 'kysely';

import type { Db } from '../../../engine/call.ts';
import type { User } from '../../../engine/caller.ts';
import { isReceivedBy } from '../read/received.ts';

interface TopicRow {
  readonly topic: string;
  readonly max_id: MessageId;
}

/** The key of the first topic of a channel, in the order of keys, with a further condition. */
const firstKey = (channel: ChannelKey, condition: RawBuilder<unknown>) => sql`(select lower(m.topic)
  from message m where m.realm_id = ${channel.realm_id} and m.channel_id = ${channel.id}
    and ${condition} order by lower(m.topic) limit 1)`;

interface ChannelKey {
  readonly realm_id: RealmId;
  readonly id: ChannelId;
}

/**
 * The topics of a channel with their newest messages, newest first: of all its messages, or of those
 * that the user received. Steps from topic to topic by the index, whatever the number of messages.
 */
export async function topicsOf(
  db: Db,
  user: User,
  { channel, history }: { readonly channel: ChannelKey; readonly history: boolean },
): Promise<TopicRow[]> {
  const received = history ? sql`true` : isReceivedBy(channel.realm_id, sql`${user.id}`);
  const { rows } = await sql<TopicRow>`
    with recursive t (key) as (
      select ${firstKey(channel, sql`true`)}
      union all
      select ${firstKey(channel, sql`lower(m.topic) > t.key`)} from t where t.key is not null
    )
    select newest.topic, newest.id as max_id from t cross join lateral (
      select m.id, m.topic from message m
      where m.realm_id = ${channel.realm_id} and m.channel_id = ${channel.id}
        and lower(m.topic) = t.key and ${received}
      order by m.id desc limit 1) newest
    order by newest.id desc`.execute(db);
  return rows;
}

/** Whether a channel has a message outside the empty topic. */
export async function hasNamedTopics(db: Db, channel: ChannelKey): Promise<boolean> {
  const { rows } = await sql<{ yes: boolean }>`
    select ${firstKey(channel, sql`lower(m.topic) > ''`)} is not null as yes`.execute(db);
  return rows[0]?.yes ?? false;
}
