import { changed } from '../chat/changed.ts';
import type { StateOwner } from '../wire/event.ts';
import { events, type QueuedEvent } from './events.ts';
import type { InitialState } from './initial-state.ts';
import { recountUnread } from './recount-unread.ts';

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
  const known = event.type === 'realm_user' ? withPresenceOf(state, event) : state;
  return recountUnread(state, apply(known as never, event as never, owner) as InitialState);
}

type UserEvent = Extract<QueuedEvent, { type: 'realm_user' }>;

/**
 * A deactivated user has no presence; a user whom the owner of the state no longer sees has neither
 * presence nor status. Older clients know presences by address: a new address takes the presence along.
 */
function withPresenceOf(state: InitialState, event: UserEvent): InitialState {
  if (event.op === 'add') return state;
  const { user_id } = event.person;
  const listed = [...(state.realm_users ?? []), ...(state.realm_non_active_users ?? [])];
  const address = listed.find((user) => user.user_id === user_id)?.email ?? '';
  const without = <T>(all: Record<string, T>) =>
    Object.fromEntries(
      Object.entries(all).filter(([key]) => key !== String(user_id) && key !== address),
    );
  if (event.op === 'remove')
    return changed(changed(state, 'presences', without), 'user_status', without);
  const { is_active, new_email } = event.person;
  if (is_active === false) return changed(state, 'presences', without);
  if (new_email === undefined) return state;
  return changed(state, 'presences', ({ [address]: presence, ...others }) =>
    presence ? { ...others, [new_email]: presence } : others,
  );
}
