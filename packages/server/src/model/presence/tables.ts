import type { RealmId, UserId } from '@bellhop/protocol';

export interface PresenceTables {
  user_presence: {
    realm_id: RealmId;
    user_id: UserId;
    /** UNIX seconds, as is `connected_at`. */
    active_at: number;
    connected_at: number;
    update_number: number;
  };
  presence_counter: { realm_id: RealmId; last_number: number };
}
