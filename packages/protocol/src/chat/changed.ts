/** Returns the state with one key changed. A key that was not fetched is not added. */
export function changed<State extends object, Key extends keyof State>(
  state: State,
  key: Key,
  change: (part: NonNullable<State[Key]>) => NonNullable<State[Key]>,
): State {
  const part = state[key];
  return part === undefined || part === null ? state : { ...state, [key]: change(part) };
}

/** Adds a row to a list sorted by ID, or replaces the row with the same ID. */
export function withRow<K extends string, Row extends Readonly<Record<K, number>>>(
  rows: readonly Row[],
  key: K,
  row: Row,
): Row[] {
  return [...rows.filter((other) => other[key] !== row[key]), row].sort((a, b) => a[key] - b[key]);
}
