import { UserError } from '../command-line/user-error.ts';
import { readableStack } from './readable-stack.ts';

/**
 * Rethrows an error of `makeBot`: a BotError with its message alone, any other error with its
 * stack.
 */
export const rethrowBotError =
  (path: string) =>
  (error: unknown): never => {
    if (error instanceof UserError) throw error;
    // Compares names: the bot may use another copy of the framework.
    if (error instanceof Error && error.name === 'BotError') throw new UserError(error.message);
    throw new UserError(`${path} makes no bot.\n${readableStack(error)}`);
  };
