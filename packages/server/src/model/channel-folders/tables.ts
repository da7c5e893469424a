import type { ChannelFolderId, RealmId, UserId } from '@bellhop/protocol';
import type { Generated } from 'kysely';

export interface ChannelFoldersTables {
  channel_folder: {
    realm_id: RealmId;
    id: Generated<ChannelFolderId>;
    name: string;
    description: string;
    rendered_description: string;
    creator_id: UserId | null;
    date_created: Generated<Date>;
    is_archived: Generated<boolean>;
    position: number;
  };
}
