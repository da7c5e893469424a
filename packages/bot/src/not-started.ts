import { BotError } from './bot-error.ts';
import type { Warning } from './hooks.ts';
import { type AnyBot, internals } from './internals.ts';

/**
 * Where a bot is mounted. `process`: in a program that runs on. `fetch`: behind a function, nobody knows
 * where. `platform`: on one that stops the program between deliveries. `test`: nothing is to happen later.
 */
export type Place = 'process' | 'fetch' | 'platform' | 'test';

type Told = Pick<Warning, 'code' | 'message'>;

const START = "`start([bot], { transport: 'none' })`";

/** What makes schedules and tasks run. */
const remedyOf = (place: Place): string =>
  place === 'platform'
    ? `This platform stops the program between deliveries: call ${START} in a program that runs on, ` +
      'and give both a store that several processes share.'
    : `Call ${START} in this program, or in another one with a store that both share.`;

/** The error of a task that nothing can ever run: its store is for this process. */
export const neverRings = (place: Place): BotError =>
  new BotError(
    'not_started',
    `This task would never run: the bot was not started. ${remedyOf(place)}`,
  );

/** A task was scheduled in a store that other programs may share. */
export const taskNotStarted = (place: Place): string =>
  `A task was scheduled that nothing in this program runs: the bot was not started. ${remedyOf(place)}`;

/** What a bot has declared that only `start` makes happen, if it was not started. */
export function notStarted(bot: AnyBot, place: Place): readonly Told[] {
  const { settings, routes } = bot[internals];
  if (routes.work.life.started || place === 'test') return [];
  const told: Told[] = [];
  if (routes.work.declared().schedules)
    told.push({
      code: 'not_started',
      message: `The schedules of the bot do not run here: the bot was not started. ${remedyOf(place)}`,
    });
  if (routes.hasChangeHandlers())
    told.push({
      code: 'changes_missing',
      message:
        `The bot gets no ${routes.changes().join(', ')} of messages unless another program has asked the ` +
        `server for them: ${START} asks` +
        `${settings.rest ? '' : ', and needs `api: { url, apiKey }` in the options of createBot'}.`,
    });
  return told;
}
