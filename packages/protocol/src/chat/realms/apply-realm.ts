import type { z } from 'zod';

import type { StateOwner } from '../../wire/event.ts';
import { changed } from '../changed.ts';
import type { PresenceState } from '../presence.ts';
import { ownPermissions, type PermissionState } from '../users/own-permissions.ts';
import type { RealmEvent } from './realm-events.ts';

type State = PermissionState & Pick<PresenceState, 'presences'>;

/**
 * Applies a `realm` event to the properties of the realm and to the permissions of the owner of the
 * state. A realm that turns presence off forgets it.
 */
export function applyRealm(
  state: State,
  event: z.output<typeof RealmEvent>,
  { user_id }: StateOwner,
): State {
  const data = event.op === 'update' ? { [event.property]: event.value } : event.data;
  const known = Object.entries(data)
    .map(([name, value]) => [`realm_${name}`, value] as const)
    .filter(([key]) => key in state);
  const next = { ...state, ...Object.fromEntries(known) } as State;
  const after = { ...next, ...ownPermissions(next, user_id) };
  return data['presence_disabled'] === true ? changed(after, 'presences', () => ({})) : after;
}
