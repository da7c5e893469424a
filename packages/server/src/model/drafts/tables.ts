import type { ChannelId, Draft, DraftId, RealmId, UserId } from '@bellhop/protocol';
import type { Generated } from 'kysely';

export interface DraftsTables {
  draft: {
    realm_id: RealmId;
    id: Generated<DraftId>;
    user_id: UserId;
    type: Draft['type'];
    channel_id: ChannelId | null;
    user_ids: UserId[] | null;
    topic: string;
    content: string;
    edited_at: number;
  };
}
