import type { ChannelId, RealmId, ScheduledMessageId, UserId } from '@bellhop/protocol';
import type { Generated } from 'kysely';

export interface ScheduledMessagesTables {
  scheduled_message: {
    realm_id: RealmId;
    id: Generated<ScheduledMessageId>;
    sender_id: UserId;
    client: string;
    channel_id: ChannelId | null;
    user_ids: UserId[] | null;
    topic: string;
    content: string;
    rendered_content: string;
    deliver_at: number;
    read_by_sender: boolean;
    failure: string | null;
  };
}
