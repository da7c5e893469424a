import { Complaint } from '../command-line/command.ts';
import { readableStack } from './readable-stack.ts';

/** What was thrown while a bot was made: what is meant for its author as it is, a bug with its place. */
export const complainOfBot =
  (path: string) =>
  (error: unknown): never => {
    if (error instanceof Complaint) throw error;
    // The bot may use another copy of the framework: its errors are known by name.
    if (error instanceof Error && error.name === 'BotError') throw new Complaint(error.message);
    throw new Complaint(`${path} makes no bot.\n${readableStack(error)}`);
  };
