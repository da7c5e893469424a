import type { RealmId, UserId, VisibilityPolicy } from '@bellhop/protocol';
import { sql } from 'kysely';

import type { Db } from '../../engine/call.ts';
import type { ChannelAddress } from '../channels/channel-address.ts';

interface TopicOfSender {
  readonly sender_id: UserId;
  readonly channel: ChannelAddress;
  readonly topic: string;
}

/** What decides whether a user automatically follows or unmutes a topic. */
export interface TopicState {
  readonly policy: VisibilityPolicy;
  readonly isChannelMuted: boolean;
  /** Whether the topic has a message that the user may read. */
  readonly isStarted: boolean;
}

/** The states of topics in the order of the requests: one statement. Undefined for a missing channel. */
export async function topicStates(
  db: Db,
  realm: RealmId,
  requests: readonly TopicOfSender[],
): Promise<(TopicState | undefined)[]> {
  if (requests.length === 0) return [];
  const senders = requests.map(({ sender_id }) => sender_id);
  const names = requests.map(({ channel }) =>
    'name' in channel ? channel.name.toLowerCase() : null,
  );
  const ids = requests.map(({ channel }) => ('id' in channel ? channel.id : null));
  const topics = requests.map(({ topic }) => topic);
  const { rows } = await sql<TopicState & { at: number }>`
    select k.at::integer, coalesce(t.visibility_policy, 0) as policy,
      coalesce(s.is_muted, false) as "isChannelMuted",
      exists (select from message m where m.realm_id = ${realm} and m.channel_id = c.id
        and lower(m.topic) = lower(k.topic) and (channel_shares_history(c)
          or exists (select from user_message um where um.realm_id = ${realm}
            and um.user_id = k.sender and um.message_id = m.id))) as "isStarted"
    from unnest(${senders}::bigint[], ${names}::text[], ${ids}::bigint[], ${topics}::text[])
      with ordinality k (sender, name, id, topic, at)
    join channel c on c.realm_id = ${realm} and c.id = coalesce(k.id, (
      select n.id from channel n where n.realm_id = ${realm} and lower(n.name) = k.name))
    left join subscription s on s.realm_id = ${realm} and s.user_id = k.sender
      and s.channel_id = c.id and s.is_active
    left join user_topic t on t.realm_id = ${realm} and t.user_id = k.sender
      and t.channel_id = c.id and t.topic_key = lower(k.topic)`.execute(db);
  const found = new Map(rows.map(({ at, ...state }) => [at, state]));
  return requests.map((_request, at) => found.get(at + 1));
}
