import type { UserGroupId } from '@bellhop/protocol';
import { sql } from 'kysely';

import type { Db } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';

/** Whether a user belongs to a group, directly, by role, or through nested groups. */
export async function isInGroup(
  db: Db,
  { id }: Pick<User, 'id'>,
  group: UserGroupId,
): Promise<boolean> {
  const { rows } = await sql<{
    yes: boolean;
  }>`select group_has_user(${group}, ${id}) as yes`.execute(db);
  return rows[0]?.yes ?? false;
}
