import type { ChannelId, DefaultChannelGroupId, RealmId } from '@bellhop/protocol';
import type { Generated } from 'kysely';

export interface DefaultChannelGroupsTables {
  default_channel_group: {
    realm_id: RealmId;
    id: Generated<DefaultChannelGroupId>;
    name: string;
    description: string;
  };
  default_channel_group_channel: {
    realm_id: RealmId;
    group_id: DefaultChannelGroupId;
    channel_id: ChannelId;
  };
}
