import type { MessageId, Reaction, RealmId, UserId } from '@bellhop/protocol';
import type { Generated } from 'kysely';

export interface ReactionsTables {
  reaction: {
    id: Generated<number>;
    realm_id: RealmId;
    message_id: MessageId;
    user_id: UserId;
    emoji_name: string;
    emoji_code: string;
    reaction_type: Reaction['reaction_type'];
  };
}
