import type { RealmId, VisibilityPolicy } from '@bellhop/protocol';
import { type RawBuilder, sql } from 'kysely';

import { sharesHistory } from './channel-rights.ts';

/** The facts that decide whether a user automatically follows or unmutes a topic. */
export interface TopicState {
  readonly policy: VisibilityPolicy;
  readonly isChannelMuted: boolean;
  /** Whether the topic has a message that the user may read. */
  readonly isStarted: boolean;
}

/** Whether a user, an expression of the statement, received a row `m` of `message`. Messages say it. */
export type IsReceivedBy = (realm: RealmId, user: RawBuilder<unknown>) => RawBuilder<boolean>;

interface TopicColumns {
  readonly realm: RealmId;
  /** Columns of the statement: a user, the key of a topic. Its channel is a row `c` of `channel`. */
  readonly user_id: RawBuilder<unknown>;
  readonly topic_key: RawBuilder<unknown>;
}

/** The three facts of a TopicState as JSON, for the columns of a statement. */
export const topicState = (
  { realm, user_id, topic_key }: TopicColumns,
  isReceivedBy: IsReceivedBy,
): RawBuilder<TopicState> =>
  sql`json_build_object(
    'policy', coalesce((select t.visibility_policy from user_topic t where t.realm_id = ${realm}
      and t.user_id = ${user_id} and t.channel_id = c.id and t.topic_key = ${topic_key}), 0),
    'isChannelMuted', coalesce((select s.is_muted from subscription s where s.realm_id = ${realm}
      and s.user_id = ${user_id} and s.channel_id = c.id and s.is_active), false),
    'isStarted', exists (select from message m where m.realm_id = ${realm} and m.channel_id = c.id
      and lower(m.topic) = ${topic_key} and (${sharesHistory('c')}
        or ${isReceivedBy(realm, user_id)})))`;
