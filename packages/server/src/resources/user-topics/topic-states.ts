import type { RealmId, UserId, VisibilityPolicy } from '@bellhop/protocol';
import { sql } from 'kysely';

import type { Db } from '../../engine/call.ts';
import type { ChannelAddress } from '../channels/channel-address.ts';

interface TopicOfSender {
  readonly sender_id: UserId;
  readonly channel: ChannelAddress;
  readonly topic: string;
}

/** The facts that decide whether a user automatically follows or unmutes a topic. */
export interface TopicState {
  readonly policy: VisibilityPolicy;
  readonly isChannelMuted: boolean;
  /** Whether the topic has a message that the user may read. */
  readonly isStarted: boolean;
}

/**
 * The states of topics in the order of the requests: one statement, planned once, as
 * `postableChannels`. Undefined for a missing channel.
 */
export async function topicStates(
  db: Db,
  realm: RealmId,
  requests: readonly TopicOfSender[],
): Promise<(TopicState | undefined)[]> {
  if (requests.length === 0) return [];
  const wanted = requests.map(({ sender_id, channel, topic }, at) => ({
    at,
    sender: sender_id,
    topic,
    ...('id' in channel ? { id: channel.id } : { name: channel.name.toLowerCase() }),
  }));
  const { rows } = await sql<TopicState & { at: number }>`
    with k as materialized (
      select k.at, k.sender, lower(k.topic) as topic_key, coalesce(k.id, (
          select n.id from channel n where n.realm_id = ${realm} and lower(n.name) = k.name)
        ) as channel_id
      from json_to_recordset(${JSON.stringify(wanted)}::json)
        k (at integer, sender bigint, topic text, id bigint, name text)
    )
    select k.at,
      coalesce((select t.visibility_policy from user_topic t where t.realm_id = ${realm}
        and t.user_id = k.sender and t.channel_id = c.id and t.topic_key = k.topic_key), 0)
        as policy,
      coalesce((select s.is_muted from subscription s where s.realm_id = ${realm}
        and s.user_id = k.sender and s.channel_id = c.id and s.is_active), false)
        as "isChannelMuted",
      exists (select from message m where m.realm_id = ${realm} and m.channel_id = c.id
        and lower(m.topic) = k.topic_key and (channel_shares_history(c)
          or exists (select from user_message um where um.realm_id = ${realm}
            and um.user_id = k.sender and um.message_id = m.id))) as "isStarted"
    from k join channel c on c.realm_id = ${realm} and c.id = k.channel_id`.execute(db);
  const found = new Map(rows.map(({ at, ...state }) => [at, state]));
  return requests.map((_request, at) => found.get(at));
}
