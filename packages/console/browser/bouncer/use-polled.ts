import { type Fetched, useResource } from '../loading/use-resource.ts';

const EVERY_MS = 3000;

/** Fetches something of the bouncer, which sends no events, now and every three seconds. */
export const usePolled = <T>(
  fetch: () => Promise<T>,
  dependencies: readonly unknown[],
): Fetched<T> => useResource(fetch, dependencies, { everyMs: EVERY_MS });
