import { type Failure, type Hooks, logFailure, report } from '../hooks.ts';
import { type AnyBot, internals } from '../internals.ts';

/** Starts the schedules and tasks of bots. Resolves with a function that stops them. */
export async function startWork(
  bots: readonly AnyBot[],
  { onError = logFailure }: Pick<Hooks, 'onError'> = {},
): Promise<() => Promise<void>> {
  const reportFailure = (failure: Failure) => report(onError, failure);
  const stops = await Promise.all(
    bots.map((bot) => {
      const { startWork: begin, rest, pauseClock } = bot[internals];
      return begin({ rest, onError: reportFailure, pauseClock });
    }),
  );
  return async () => void (await Promise.all(stops.map((stop) => stop())));
}
