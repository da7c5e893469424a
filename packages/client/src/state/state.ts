import type { InitialState, UserId } from '@bellhop/protocol';

/** Whose state it is, and how it was asked for. */
export interface Reader {
  readonly user_id: UserId;
  /** As given to `/register`; whether channel records list their subscribers. */
  readonly include_subscribers?: boolean | 'partial';
}

/** The state with one part replaced; a part that was not fetched stays away. */
export function changed<K extends keyof InitialState>(
  state: InitialState,
  key: K,
  change: (part: NonNullable<InitialState[K]>) => NonNullable<InitialState[K]>,
): InitialState {
  const part = state[key];
  return part === undefined || part === null ? state : { ...state, [key]: change(part) };
}

/** A list in the order of an ID, with this row in it, in place of one of the same ID. */
export function withRow<K extends string, Row extends Readonly<Record<K, number>>>(
  rows: readonly Row[],
  key: K,
  row: Row,
): Row[] {
  return [...rows.filter((other) => other[key] !== row[key]), row].sort((a, b) => a[key] - b[key]);
}
