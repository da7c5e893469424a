import type { RealmId, UserId } from '@bellhop/protocol';

export interface MutedUsersTables {
  muted_user: {
    realm_id: RealmId;
    user_id: UserId;
    muted_user_id: UserId;
    /** UNIX seconds. */
    muted_at: number;
  };
}
