import type { Answerers, Choice, Question } from '../choices/choice.ts';
import type { CommandContext } from '../context.ts';
import type { Person } from '../delivery.ts';
import { INTERNAL_TASK } from '../schedules/tasks.ts';

/** The name of the choice that a command waits for. */
export const CONFIRM = `${INTERNAL_TASK}confirm`;

const FIVE_MINUTES_MS = 300_000;

/** How a command is confirmed. */
export interface ConfirmationOptions {
  /** Default: the person who gave the command. */
  readonly by?: Answerers;
  /** How long the answer may take, in milliseconds; default: five minutes. */
  readonly timeoutMs?: number;
  /** Posted if nobody has answered in time; default: nothing. Needs `start` and `api`. */
  readonly timedOut?: string;
}

export interface Confirmation<Args, Session> {
  /**
   * Returns the question that must be confirmed, or true for a standard one. The command runs if
   * the same user says yes within five minutes; with options, another person, a role or given
   * people may confirm it.
   */
  readonly confirm?:
    | AskToConfirm<Args, Session>
    | (ConfirmationOptions & { readonly ask: AskToConfirm<Args, Session> });
}

export type AskToConfirm<Args, Session> = (
  context: CommandContext<Args, Session>,
) => ConfirmationQuestion | Promise<ConfirmationQuestion>;
export type ConfirmationQuestion = string | boolean | undefined;

/** A command that waits for its confirmation, as it is stored. */
export type ConfirmedCommand = {
  readonly line: string;
  readonly askedBy: Person;
  readonly timedOut?: string;
};

/** The question whether a command may run. */
export function confirmation(
  question: string,
  { by = 'asker', timeoutMs = FIVE_MINUTES_MS, timedOut }: ConfirmationOptions,
  { line, askedBy }: ConfirmedCommand,
): Question {
  const { id, email, fullName } = askedBy;
  return {
    question,
    content: `${question} (yes / no)`,
    options: ['Yes', 'No'],
    by,
    timeoutMs,
    expires: timedOut !== undefined,
    data: {
      line,
      askedBy: { id: id as number, email, fullName },
      ...(timedOut === undefined ? {} : { timedOut }),
    },
  };
}

export const isConfirmed = ({ option }: Choice<ConfirmedCommand>): boolean => option === 'Yes';
