import { roles } from '@bellhop/protocol';
import { sql } from 'kysely';

import type { Db } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import { isInGroup } from '../user-groups/access.ts';
import * as queries from './queries.ts';

/**
 * The users that the viewer may see. Members see all users; guests outside
 * `can_access_all_users_group` see bots, themselves, and users of shared channels and conversations.
 */
export async function accessibleUsers(
  db: Db,
  { realm, viewer }: { realm: Realm; viewer: User },
): Promise<User[]> {
  const everyone = (await queries.all(db, realm.id)).filter(({ is_system_bot }) => !is_system_bot);
  if (viewer.role < roles.guest) return everyone;
  if (await isInGroup(db, viewer, realm.group_settings.can_access_all_users_group)) return everyone;
  const known = new Set(await acquaintances(db, viewer));
  return everyone.filter(({ id, is_bot }) => is_bot || id === viewer.id || known.has(id));
}

/** Whether the viewer may see one user. Everybody sees bots, system bots included. */
export async function sees(
  db: Db,
  { realm, viewer }: { realm: Realm; viewer: User },
  user: User,
): Promise<boolean> {
  if (viewer.role < roles.guest || user.is_bot || user.id === viewer.id) return true;
  if (await isInGroup(db, viewer, realm.group_settings.can_access_all_users_group)) return true;
  return (await acquaintances(db, viewer)).includes(user.id);
}

async function acquaintances(db: Db, { id, realm_id }: User): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select other.user_id as id from subscription mine
    join subscription other on other.realm_id = mine.realm_id
      and other.channel_id = mine.channel_id and other.is_active
    where mine.realm_id = ${realm_id} and mine.user_id = ${id} and mine.is_active
    union
    select unnest(user_ids) from recipient where realm_id = ${realm_id} and ${id} = any(user_ids)
  `.execute(db);
  return rows.map((row) => row.id);
}
