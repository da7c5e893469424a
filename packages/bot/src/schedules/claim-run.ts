import type { Store } from '../stores/store.ts';

const keyOf = (name: string) => `schedule:${name}`;

/**
 * The last run of a schedule, in milliseconds since 1970. A new schedule is stored with `start`, so
 * that earlier times do not count as missed.
 */
export async function lastRun(store: Store, name: string, start: number): Promise<number> {
  const stored = await store.get(keyOf(name));
  if (typeof stored?.value === 'number') return stored.value;
  await store.set(keyOf(name), start, { expected: stored?.version ?? null });
  return start;
}

/**
 * Claims the run that is due at a time; false if another process has claimed it. The claim is written
 * before the run, so that a run that crashes is not repeated.
 */
export async function claimRun(store: Store, name: string, due: number): Promise<boolean> {
  const stored = await store.get(keyOf(name));
  if (typeof stored?.value === 'number' && stored.value >= due) return false;
  const claimed = await store.set(keyOf(name), due, { expected: stored?.version ?? null });
  return claimed !== undefined;
}
