import type { ChannelId, RealmId, UserId } from '@bellhop/protocol';
import type { Generated, JSONColumnType } from 'kysely';

export interface BotsTables {
  bot_service: {
    id: Generated<number>;
    realm_id: RealmId;
    user_id: UserId;
    name: string;
    base_url: string;
    /** 1 generic, 2 Slack-compatible. */
    interface: Generated<number>;
    token_mac: Buffer;
    token_sealed: Buffer;
    /** The token that deliveries carry until `old_token_until`. */
    old_token_sealed: Buffer | null;
    old_token_until: Date | null;
    failing_since: Date | null;
    failures_in_a_row: Generated<number>;
    disabled_at: Date | null;
    /** The time of the next attempt at a disabled webhook. */
    probe_after: Date | null;
  };
  bot_profile: {
    user_id: UserId;
    realm_id: RealmId;
    default_sending_channel_id: ChannelId | null;
    default_events_register_channel_id: ChannelId | null;
    default_all_public_streams: Generated<boolean>;
    config_data: JSONColumnType<Record<string, string>, string | undefined, string>;
    /** The last warning to the owner that a message reached nobody, in UNIX seconds. */
    owner_warned_at: number | null;
  };
}
