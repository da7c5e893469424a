import type {
  ChannelFolderId,
  ChannelGroupSetting,
  ChannelId,
  MessageId,
  RealmId,
  TopicsPolicy,
  UserGroupId,
  UserId,
} from '@bellhop/protocol';
import type { Generated } from 'kysely';

type GroupSettings = Record<ChannelGroupSetting, UserGroupId>;

export interface ChannelsTables {
  channel: GroupSettings & {
    id: Generated<ChannelId>;
    realm_id: RealmId;
    name: string;
    description: Generated<string>;
    rendered_description: Generated<string>;
    creator_id: UserId | null;
    invite_only: Generated<boolean>;
    is_web_public: Generated<boolean>;
    is_archived: Generated<boolean>;
    is_default: Generated<boolean>;
    history_public_to_subscribers: Generated<boolean>;
    message_retention_days: number | null;
    folder_id: ChannelFolderId | null;
    topics_policy: Generated<TopicsPolicy>;
    first_message_id: MessageId | null;
    recent_messages: Generated<number>;
    date_created: Generated<Date>;
  };
  subscription: {
    realm_id: RealmId;
    channel_id: ChannelId;
    user_id: UserId;
    is_active: Generated<boolean>;
    color: string;
    is_muted: Generated<boolean>;
    pin_to_top: Generated<boolean>;
    audible_notifications: boolean | null;
    desktop_notifications: boolean | null;
    email_notifications: boolean | null;
    push_notifications: boolean | null;
    wildcard_mentions_notify: boolean | null;
  };
}
