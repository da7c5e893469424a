import type { RealmId } from '@bellhop/protocol';
import { type RawBuilder, sql } from 'kysely';

/**
 * Whether can_access_all_users_group of a realm includes guests, as a part of a statement: it is the system
 * group of everyone or of members.
 */
export const guestsSeeAllUsers = (realm: RealmId): RawBuilder<boolean> => sql`exists (
  select from realm r join user_group g on g.realm_id = ${realm}
    and g.id = (r.group_settings ->> 'can_access_all_users_group')::bigint
  where r.id = ${realm} and g.role_limit >= 600)`;
