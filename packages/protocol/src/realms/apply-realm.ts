import type { z } from 'zod';

import type { StateOwner } from '../event.ts';
import { ownPermissions, type PermissionState } from '../users/own-permissions.ts';
import type { RealmEvent } from './realm-events.ts';

/**
 * Applies a `realm` event to the properties of the realm and to the permissions of the owner of the
 * state.
 */
export function applyRealm(
  state: PermissionState,
  event: z.output<typeof RealmEvent>,
  { user_id }: StateOwner,
): PermissionState {
  const data = event.op === 'update' ? { [event.property]: event.value } : event.data;
  const known = Object.entries(data)
    .map(([name, value]) => [`realm_${name}`, value] as const)
    .filter(([key]) => key in state);
  const next = { ...state, ...Object.fromEntries(known) } as PermissionState;
  return { ...next, ...ownPermissions(next, user_id) };
}
