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
  const known = event.type === 'realm_user' ? withoutLeaver(state, event) : state;
  return recountUnread(state, apply(known as never, event as never, owner) as InitialState);
}

type UserEvent = Extract<QueuedEvent, { type: 'realm_user' }>;

/**
 * Removes the presence of a user who was deactivated, and presence and status of one whom the owner of
 * the state no longer sees.
 */
function withoutLeaver(state: InitialState, event: UserEvent): InitialState {
  const { user_id } = event.person;
  if (event.op === 'remove') return forgetUser(state, user_id);
  const isDeactivated = event.op === 'update' && event.person.is_active === false;
  return isDeactivated ? forgetPresence(state, keysOf(state, user_id)) : state;
}

function forgetUser(state: InitialState, user_id: number): InitialState {
  const keys = keysOf(state, user_id);
  return changed(forgetPresence(state, keys), 'user_status', (all) => without(all, keys));
}

const forgetPresence = (state: InitialState, keys: readonly string[]): InitialState =>
  changed(state, 'presences', (all) => without(all, keys));

const without = <T>(all: Record<string, T>, keys: readonly string[]) =>
  Object.fromEntries(Object.entries(all).filter(([key]) => !keys.includes(key)));

/** The keys of a user's entries: the ID, and for the presence of older clients the address in the API. */
function keysOf(state: InitialState, user_id: number): string[] {
  const listed = [...(state.realm_users ?? []), ...(state.realm_non_active_users ?? [])];
  const address = listed.find((user) => user.user_id === user_id)?.email;
  return [String(user_id), ...(address === undefined ? [] : [address])];
}
