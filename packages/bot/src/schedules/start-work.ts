import { type Failure, type Hooks, logFailure, report } from '../hooks.ts';
import { type AnyBot, internals } from '../internals.ts';

/**
 * Begins the schedules and tasks of bots; returns what ends them, when those that run have ended.
 * `serve`, `run` and `connect` do so themselves: this is for bots in an application of yours, as by
 * `webhook` of `@bellhop/bot/express`.
 */
export async function startWork(
  bots: readonly AnyBot[],
  { onError = logFailure }: Pick<Hooks, 'onError'> = {},
): Promise<() => Promise<void>> {
  const tell = (failure: Failure) => report(onError, failure);
  const stops = await Promise.all(bots.map((bot) => bot[internals].startWork(tell)));
  return async () => void (await Promise.all(stops.map((stop) => stop())));
}
