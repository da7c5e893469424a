/** The state with one part replaced; a part that was not fetched stays away. */
export function changed<State extends object, Key extends keyof State>(
  state: State,
  key: Key,
  change: (part: NonNullable<State[Key]>) => NonNullable<State[Key]>,
): State {
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
