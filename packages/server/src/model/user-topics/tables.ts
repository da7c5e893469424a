import type { ChannelId, RealmId, UserId, VisibilityPolicy } from '@bellhop/protocol';
import type { GeneratedAlways } from 'kysely';

export interface UserTopicsTables {
  user_topic: {
    realm_id: RealmId;
    user_id: UserId;
    channel_id: ChannelId;
    topic: string;
    /** The topic in lower case. */
    topic_key: GeneratedAlways<string>;
    /** Without a row: 0, like the channel. */
    visibility_policy: Exclude<VisibilityPolicy, 0>;
    /** UNIX seconds. */
    last_updated: number;
  };
}
