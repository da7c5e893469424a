import { EVERYBODY } from '../../engine/audience.ts';
import type { Change } from '../../engine/call.ts';
import type { Realm } from '../../engine/caller.ts';
import { deactivatedAmong } from '../../model/user-groups/group-rows.ts';
import type { StoredUserGroupEvent } from './present-user-group.ts';

/**
 * Emits an event to every user. An event about a deactivated group, without `others`, is for clients that
 * know such groups.
 */
export const emitGroupEvent = (
  change: Pick<Change<'user_group'>, 'db' | 'emit'>,
  realm: Pick<Realm, 'id'>,
  event: StoredUserGroupEvent,
): Promise<void> => emitGroupEvents(change, realm, [event]);

/** `emitGroupEvent` for several events, to every user or to some. */
export async function emitGroupEvents(
  { db, emit }: Pick<Change<'user_group'>, 'db' | 'emit'>,
  realm: Pick<Realm, 'id'>,
  events: readonly StoredUserGroupEvent[],
  audience: readonly number[] = EVERYBODY,
): Promise<void> {
  if (events.length === 0) return;
  const same = events.filter(({ others }) => others === undefined).map(groupOf);
  const unknown = same.length > 0 ? await deactivatedAmong(db, realm.id, same) : new Set();
  for (const event of events) {
    const isUnknown = event.others === undefined && unknown.has(groupOf(event));
    emit(isUnknown ? { ...event, others: null } : event, audience);
  }
}

const groupOf = (event: StoredUserGroupEvent) =>
  event.op === 'add' ? event.group.id : event.group_id;
