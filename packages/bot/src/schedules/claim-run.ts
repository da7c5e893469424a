import type { Store } from '../stores/store.ts';

const keyOf = (name: string) => `schedule:${name}`;

/**
 * When a schedule ran last. One that never did counts as having run at `start`, from now on: what was
 * due before it was first known is not missed.
 */
export async function lastRun(store: Store, name: string, start: number): Promise<number> {
  const stored = await store.get(keyOf(name));
  if (typeof stored?.value === 'number') return stored.value;
  await store.set(keyOf(name), start, { expected: stored?.version ?? null });
  return start;
}

/**
 * Takes the run that is due at a time; false where another process has taken it. It is taken before it
 * begins: a process that dies in it does not do it twice.
 */
export async function claimRun(store: Store, name: string, due: number): Promise<boolean> {
  const stored = await store.get(keyOf(name));
  if (typeof stored?.value === 'number' && stored.value >= due) return false;
  const claimed = await store.set(keyOf(name), due, { expected: stored?.version ?? null });
  return claimed !== undefined;
}
