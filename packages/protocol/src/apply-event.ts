import type { StateOwner } from './event.ts';
import { events, type QueuedEvent } from './events.ts';
import type { InitialState } from './initial-state.ts';
import { recountUnread } from './messages/recount-unread.ts';
import { forgetUser } from './users/forget-user.ts';

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
