/** The middle value; of an even number of values the higher of the two in the middle. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** The value that `percent` of the values are below. */
export function percentile(values: readonly number[], percent: number): number {
  const rank = Math.floor((values.length * percent) / 100);
  return values.toSorted((a, b) => a - b)[rank] ?? Number.NaN;
}
