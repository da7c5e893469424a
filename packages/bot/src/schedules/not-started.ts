import type { Warning } from '../hooks.ts';
import { type AnyBot, internals } from '../internals.ts';

type Told = Pick<Warning, 'code' | 'message'>;

const REMEDY =
  "Call `start([bot], { transport: 'none' })` in this program, or in another one that shares its store.";

/** A task was scheduled by a bot that was not started. */
export const taskNotStarted: Told = {
  code: 'not_started',
  message: `A task was scheduled that nothing in this program runs: the bot was not started. ${REMEDY}`,
};

/** What a bot has declared that only `start` makes happen, if it was not started. */
export function notStarted(bot: AnyBot): readonly Told[] {
  const { life, declaredWork, needsChanges, changes, rest } = bot[internals];
  if (life.started) return [];
  const told: Told[] = [];
  if (declaredWork().schedules)
    told.push({
      code: 'not_started',
      message: `The schedules of the bot do not run here: the bot was not started. ${REMEDY}`,
    });
  if (needsChanges())
    told.push({
      code: 'changes_missing',
      message:
        `The bot gets no ${changes().join(', ')} of messages unless another program has asked the server ` +
        "for them: `start([bot], { transport: 'none' })` asks" +
        `${rest ? '' : ', and needs `api: { url, apiKey }` in the options of createBot'}.`,
    });
  return told;
}
