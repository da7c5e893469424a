import { type Failure, type Hooks, logFailure, logWarning, report } from '../hooks.ts';
import { type AnyBot, internals } from '../internals.ts';

/** Starts the schedules and tasks of bots. Resolves with a function that stops them. */
export async function startWork(
  bots: readonly AnyBot[],
  { onError = logFailure, onWarning = logWarning }: Pick<Hooks, 'onError' | 'onWarning'> = {},
): Promise<() => Promise<void>> {
  const reportFailure = (failure: Failure) => report(onError, failure);
  const stops = await Promise.all(
    bots.map((bot) => {
      const { startWork: begin, declaredWork, rest, pauseClock } = bot[internals];
      if (rest === undefined && declaredWork().any) {
        const message =
          'The schedules and tasks of the bot fail: give createBot `api: { url, apiKey }`.';
        report(onWarning, { code: 'api_missing', message, botEmail: bot.email });
      }
      return begin({ rest, onError: reportFailure, pauseClock });
    }),
  );
  return async () => void (await Promise.all(stops.map((stop) => stop())));
}
