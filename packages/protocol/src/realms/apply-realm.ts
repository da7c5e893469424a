import type { z } from 'zod';

import type { RealmEvent } from './realm-events.ts';
import type { RealmState } from './realm-state.ts';

/** Applies a `realm` event to the property of the realm. */
export function applyRealm(
  state: Partial<RealmState>,
  { property, value }: z.output<typeof RealmEvent>,
): Partial<RealmState> {
  const key = `realm_${property}` as const;
  return key in state ? { ...state, [key]: value } : state;
}
