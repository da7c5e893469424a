import type { UserGroupId } from '@bellhop/protocol';
import { sql } from 'kysely';

import type { Db } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';

/** Whether a user belongs to a group: as a direct member, by role, or through a subgroup. */
export async function isInGroup(
  db: Db,
  { id, realm_id }: Pick<User, 'id' | 'realm_id'>,
  group: UserGroupId,
): Promise<boolean> {
  const { rows } = await sql<{
    yes: boolean;
  }>`select group_has_user(${realm_id}, ${group}, ${id}) as yes`.execute(db);
  return rows[0]?.yes ?? false;
}
