import type { EventOf, InitialState } from '@bellhop/protocol';

/** A property of the realm has another value. */
export function applyRealm(
  state: InitialState,
  { property, value }: EventOf<'realm'>,
): InitialState {
  const key = `realm_${property}` as const;
  return key in state ? { ...state, [key]: value } : state;
}
