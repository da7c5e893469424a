import type { RealmId, UserGroupId, UserId } from '@bellhop/protocol';
import type { Generated } from 'kysely';

export interface UserGroupsTables {
  user_group: {
    id: Generated<UserGroupId>;
    realm_id: RealmId;
    name: string | null;
    description: Generated<string>;
    is_system_group: Generated<boolean>;
    role_limit: number | null;
    full_members_only: Generated<boolean>;
    deactivated: Generated<boolean>;
    creator_id: UserId | null;
    date_created: Date | null;
    can_add_members_group: UserGroupId | null;
    can_join_group: UserGroupId | null;
    can_leave_group: UserGroupId | null;
    can_manage_group: UserGroupId | null;
    can_mention_group: UserGroupId | null;
    can_remove_members_group: UserGroupId | null;
  };
  user_group_member: { realm_id: RealmId; group_id: UserGroupId; user_id: UserId };
  user_group_subgroup: { realm_id: RealmId; group_id: UserGroupId; subgroup_id: UserGroupId };
}
