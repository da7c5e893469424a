import { changed } from './changed.ts';
import type { StateOwner } from './event.ts';
import { events, type QueuedEvent } from './events.ts';
import type { InitialState } from './initial-state.ts';
import { recountUnread } from './messages/recount-unread.ts';

/**
 * Returns the state after an event, as `POST /register` would return it now. The given state is not
 * modified. Lists of records stay sorted by ID. An event of an unknown type changes nothing.
 */
export function applyEvent(
  state: InitialState,
  event: QueuedEvent,
  owner: StateOwner,
): InitialState {
  const { apply } = Object.hasOwn(events, event.type) ? events[event.type] : { apply: undefined };
  if (!apply) return state;
  const isGone = event.type === 'realm_user' && event.op === 'remove';
  const known = isGone ? forgetUser(state, event.person.user_id) : state;
  return recountUnread(state, apply(known as never, event as never, owner) as InitialState);
}

/** Removes the presence and the status of a user whom the owner of the state no longer sees. */
function forgetUser(state: InitialState, user_id: number): InitialState {
  const listed = [...(state.realm_users ?? []), ...(state.realm_non_active_users ?? [])];
  // Older clients have presence by the address in the API.
  const address = listed.find((user) => user.user_id === user_id)?.email;
  const keys = [String(user_id), address];
  const without = <T>(all: Record<string, T>) =>
    Object.fromEntries(Object.entries(all).filter(([key]) => !keys.includes(key)));
  return changed(changed(state, 'presences', without), 'user_status', without);
}
