import type { RealmId, UserId } from '@bellhop/protocol';
import type { Generated } from 'kysely';

export interface NavigationViewsTables {
  navigation_view: {
    realm_id: RealmId;
    user_id: UserId;
    fragment: string;
    id: Generated<number>;
    is_pinned: boolean;
    name: string | null;
  };
}
