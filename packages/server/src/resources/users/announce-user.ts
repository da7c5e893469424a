import type { Change } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import { directSystemGroups } from '../../model/user-groups/queries.ts';
import { viewersOfUser } from '../../model/users/access.ts';
import { anyoneWith, showsEmail, userRecord } from '../../model/users/user-record.ts';
import { emitGroupEvents } from '../user-groups/emit-group-event.ts';
import { emitUnknown } from './changing-sight.ts';

/**
 * Emits a new user to those who may see them, each with the address that they may see, to others as an
 * unknown user, and the user's membership in system groups.
 */
export async function announceUser(
  { db, emit }: Pick<Change<'realm_user' | 'user_group'>, 'db' | 'emit'>,
  realm: Realm,
  user: User,
): Promise<void> {
  const { seeing, strangers } = await viewersOfUser(db, realm, user);
  emitUnknown({ emit }, { realm, user }, strangers);
  const viewers = [...seeing].map(([role, audience]) => ({ viewer: anyoneWith(role), audience }));
  for (const alike of Map.groupBy(viewers, ({ viewer }) => showsEmail(user, viewer)).values()) {
    const [first] = alike;
    if (!first) continue;
    const record = userRecord(user, { realm, viewer: first.viewer });
    const person = user.is_bot ? record : { ...record, profile_data: {} };
    const audience = alike.flatMap((one) => one.audience);
    emit({ type: 'realm_user', op: 'add', person }, audience);
  }
  const user_ids = [user.id];
  const events = (await directSystemGroups(db, user)).map(
    (group_id) => ({ type: 'user_group', op: 'add_members', group_id, user_ids }) as const,
  );
  await emitGroupEvents({ db, emit }, realm, events);
}
