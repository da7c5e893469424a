import { type Clock, sleep } from '../clock.ts';

/** Wait before a failed call of a store is repeated, in milliseconds. */
export const STORE_RETRY_MS = 1000;
const GIVE_UP_MS = 10 * 60_000;

/** Repeats a call of a store while it fails, for ten minutes. Rejects with the last failure. */
export async function untilStored<T>(clock: Clock, call: () => Promise<T>): Promise<T> {
  const giveUpAt = clock.now() + GIVE_UP_MS;
  for (;;)
    try {
      return await call();
    } catch (error) {
      if (clock.now() >= giveUpAt) throw error;
      await sleep(clock, STORE_RETRY_MS);
    }
}
