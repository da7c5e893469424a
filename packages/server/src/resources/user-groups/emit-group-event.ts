import type { EventOf, UserId } from '@bellhop/protocol';

import type { Change } from '../../engine/call.ts';
import type { Realm } from '../../engine/caller.ts';
import { withoutMembers } from '../../model/user-groups/group-record.ts';
import { deactivatedAmong } from '../../model/user-groups/group-rows.ts';
import { hiddenFrom } from '../../model/users/access.ts';
import * as users from '../../model/users/queries.ts';
import type { StoredUserGroupEvent } from './present-user-group.ts';

/**
 * Emits an event to every user; guests get it without users whom they may not see. An event about a
 * deactivated group, without `others`, is for clients that know such groups.
 */
export const emitGroupEvent = (
  change: Pick<Change<'user_group'>, 'db' | 'emit'>,
  realm: Realm,
  event: StoredUserGroupEvent,
): Promise<void> => emitGroupEvents(change, realm, [event]);

/** `emitGroupEvent` for several events. */
export async function emitGroupEvents(
  { db, emit }: Pick<Change<'user_group'>, 'db' | 'emit'>,
  realm: Realm,
  events: readonly StoredUserGroupEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const audience = await users.activeIds(db, realm.id);
  const same = events.filter(({ others }) => others === undefined).map(groupOf);
  const unknown = same.length > 0 ? await deactivatedAmong(db, realm.id, same) : new Set();
  for (const event of events) {
    const named = [...usersIn(event), ...(event.others ? usersIn(event.others) : [])];
    const hidden = await hiddenFrom(db, realm, { viewers: audience, users: named });
    const personal = [...hidden].map(([reader, ids]) => [
      reader,
      {
        ...withoutUsers(event, ids),
        ...(event.others && { others: withoutUsers(event.others, ids) }),
      },
    ]);
    const isUnknown = event.others === undefined && unknown.has(groupOf(event));
    emit(isUnknown ? { ...event, others: null } : event, audience, {
      users: Object.fromEntries(personal),
    });
  }
}

const groupOf = (event: StoredUserGroupEvent) =>
  event.op === 'add' ? event.group.id : event.group_id;

function usersIn(event: EventOf<'user_group'>): readonly UserId[] {
  if ('user_ids' in event) return event.user_ids;
  return event.op === 'add' ? event.group.members : [];
}

function withoutUsers(
  event: EventOf<'user_group'>,
  ids: ReadonlySet<UserId>,
): EventOf<'user_group'> {
  if ('user_ids' in event)
    return { ...event, user_ids: event.user_ids.filter((id) => !ids.has(id)) };
  return event.op === 'add' ? { ...event, group: withoutMembers(event.group, ids) } : event;
}
