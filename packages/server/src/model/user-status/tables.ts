import type { RealmId, UserId, UserStatus } from '@bellhop/protocol';
import type { Generated } from 'kysely';

export interface UserStatusTables {
  user_status: {
    realm_id: RealmId;
    user_id: UserId;
    away: Generated<boolean>;
    status_text: Generated<string>;
    /** Empty: no emoji. */
    emoji_name: Generated<string>;
    emoji_code: Generated<string>;
    reaction_type: Generated<NonNullable<UserStatus['reaction_type']>>;
  };
}
