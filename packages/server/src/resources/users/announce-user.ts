import type { Change } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import { directSystemGroups } from '../user-groups/queries.ts';
import * as queries from './queries.ts';
import { userRecord } from './user-record.ts';

/** Emits a new user to everybody, and the user's membership in system groups. */
export async function announceUser(
  { db, emit }: Pick<Change<'realm_user' | 'user_group'>, 'db' | 'emit'>,
  { realm, viewer }: { realm: Realm; viewer: User },
  user: User,
): Promise<void> {
  const everybody = await queries.activeIds(db, realm.id);
  emit({ type: 'realm_user', op: 'add', person: userRecord(user, { realm, viewer }) }, everybody);
  for (const group_id of await directSystemGroups(db, realm.id, user))
    emit({ type: 'user_group', op: 'add_members', group_id, user_ids: [user.id] }, everybody);
}
