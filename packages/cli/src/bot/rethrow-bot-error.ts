import { UserError } from '../command-line/user-error.ts';
import { readableStack } from './readable-stack.ts';

/** Rethrows what `makeBot` threw: a BotError by its message alone, anything else with its stack. */
export const rethrowBotError =
  (path: string) =>
  (error: unknown): never => {
    if (error instanceof UserError) throw error;
    // By name: the bot may use another copy of the framework.
    if (error instanceof Error && error.name === 'BotError') throw new UserError(error.message);
    throw new UserError(`${path} makes no bot.\n${readableStack(error)}`);
  };
