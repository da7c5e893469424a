import type { EventOf, UserId } from '@bellhop/protocol';

import { EVERYBODY } from '../../engine/audience.ts';
import type { Change } from '../../engine/call.ts';
import type { Realm } from '../../engine/caller.ts';
import { withoutMembers } from '../../model/user-groups/group-record.ts';
import { deactivatedAmong } from '../../model/user-groups/group-rows.ts';
import { hiddenFromGuests } from '../../model/users/access.ts';
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
  const same = events.filter(({ others }) => others === undefined).map(groupOf);
  const unknown = same.length > 0 ? await deactivatedAmong(db, realm.id, same) : new Set();
  for (const event of events) {
    const named = [...usersIn(event), ...(event.others ? usersIn(event.others) : [])];
    const hidden = await hiddenFromGuests(db, realm, named);
    const personal = [...hidden].map(([reader, ids]) => [
      reader,
      {
        ...withoutUsers(event, ids),
        ...(event.others && { others: withoutUsers(event.others, ids) }),
      },
    ]);
    const isUnknown = event.others === undefined && unknown.has(groupOf(event));
    emit(isUnknown ? { ...event, others: null } : event, EVERYBODY, {
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
