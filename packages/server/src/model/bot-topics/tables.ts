import type { ChannelId, RealmId, UserId } from '@bellhop/protocol';
import type { GeneratedAlways } from 'kysely';

export interface BotTopicsTables {
  bot_topic: {
    realm_id: RealmId;
    user_id: UserId;
    channel_id: ChannelId;
    topic: string;
    topic_key: GeneratedAlways<string>;
    /** UNIX time in seconds. */
    expires_at: number;
  };
}
