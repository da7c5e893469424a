import type { Change } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import { directSystemGroups } from '../../model/user-groups/queries.ts';
import { showsEmail, userRecord } from '../../model/users/user-record.ts';
import { emitGroupEvents } from './emit-group-event.ts';
import { everyRole, membership } from './emit-user-changes.ts';

/** Emits a new user to every role with the address that it may see, and their membership in system groups. */
export async function announceUser(
  { db, emit }: Pick<Change<'realm_user' | 'user_group'>, 'db' | 'emit'>,
  realm: Realm,
  user: User,
): Promise<void> {
  for (const alike of Map.groupBy(everyRole, ({ viewer }) => showsEmail(user, viewer)).values()) {
    const [first] = alike;
    if (!first) continue;
    const record = userRecord(user, { realm, viewer: first.viewer });
    const person = user.is_bot ? record : { ...record, profile_data: {} };
    const audience = alike.flatMap((one) => one.audience);
    emit({ type: 'realm_user', op: 'add', person }, audience);
  }
  const groups = await directSystemGroups(db, user);
  await emitGroupEvents({ db, emit }, realm, membership(user, 'add_members', groups));
}
