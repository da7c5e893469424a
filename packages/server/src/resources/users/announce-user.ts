import type { Change } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import { directSystemGroups } from '../user-groups/queries.ts';
import { viewersAmong } from './access.ts';
import * as queries from './queries.ts';
import { showsEmail, userRecord } from './user-record.ts';

/**
 * Emits a new user to those who may see them, each with the address that they may see, and the user's
 * membership in system groups to everybody.
 */
export async function announceUser(
  { db, emit }: Pick<Change<'realm_user' | 'user_group'>, 'db' | 'emit'>,
  realm: Realm,
  user: User,
): Promise<void> {
  const everybody = await queries.activeViewers(db, realm.id);
  const viewers = await viewersAmong(db, realm, { viewers: everybody, user });
  const records = viewers.map((viewer) => ({ viewer, shows: showsEmail(user, viewer) }));
  for (const alike of Map.groupBy(records, ({ shows }) => shows).values()) {
    const [first] = alike;
    if (!first) continue;
    const record = userRecord(user, { realm, viewer: first.viewer });
    const person = user.is_bot ? record : { ...record, profile_data: {} };
    const audience = alike.map(({ viewer }) => viewer.id);
    emit({ type: 'realm_user', op: 'add', person }, audience);
  }
  const ids = everybody.map(({ id }) => id);
  for (const group_id of await directSystemGroups(db, realm.id, user))
    emit({ type: 'user_group', op: 'add_members', group_id, user_ids: [user.id] }, ids);
}
