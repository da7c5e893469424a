import type { ChannelId, InviteId, RealmId, Role, UserGroupId, UserId } from '@bellhop/protocol';
import type { Generated } from 'kysely';

export interface InvitesTables {
  invite: {
    realm_id: RealmId;
    id: Generated<InviteId>;
    email: string | null;
    link_id: InviteId | null;
    /** Null if somebody signs up without an invitation. */
    invited_by: UserId | null;
    invited_as: Role;
    channel_ids: ChannelId[];
    group_ids: UserGroupId[];
    include_default_channels: boolean;
    notify_referrer: boolean;
    welcome_text: string | null;
    invited_at: number;
    expires_at: number | null;
    token_mac: Buffer;
    token_sealed: Buffer | null;
  };
}
