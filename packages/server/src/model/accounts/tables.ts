import type { RealmId, UserId } from '@bellhop/protocol';

export interface AccountsTables {
  known_login: { realm_id: RealmId; user_id: UserId; device: Buffer; used_at: number };
}
