/**
 * How long a check waits for an answer, in milliseconds: a service with faults may never give one, and one
 * without may be slow on a busy machine.
 */
export const patienceFor = (faults: readonly string[]): number =>
  faults.length > 0 ? 5000 : 30_000;
