import { changed } from '../changed.ts';
import type { InitialState } from '../initial-state.ts';

/** Removes the presence and the status of a user whom the owner of the state no longer sees. */
export function forgetUser(state: InitialState, user_id: number): InitialState {
  const listed = [...(state.realm_users ?? []), ...(state.realm_non_active_users ?? [])];
  // Older clients have presence by the address in the API.
  const address = listed.find((user) => user.user_id === user_id)?.email;
  const keys = [String(user_id), address];
  const without = <T>(all: Record<string, T>) =>
    Object.fromEntries(Object.entries(all).filter(([key]) => !keys.includes(key)));
  return changed(changed(state, 'presences', without), 'user_status', without);
}
