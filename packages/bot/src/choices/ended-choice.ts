import type { Person } from '../delivery.ts';
import { type PendingChoice, sameOption } from './choice.ts';

/** How long a question that has ended is known, for answers that come late. */
export const KEPT_MS = 86_400_000;
/** How long a second press of the person who has answered counts as a press, not as a new message. */
const DOUBLE_MS = 60_000;

/** How a question has ended, in words that follow it. */
function endOf({ answer, endedAt = Infinity, expiresAt }: PendingChoice): string {
  if (answer !== undefined) return `Answered by ${answer.by.fullName}: ${answer.option}`;
  return endedAt < expiresAt ? 'No longer asked.' : 'Nobody has answered in time.';
}

/** The content of the message of a question that has ended. */
export const endedContent = (asked: PendingChoice): string =>
  `${asked.question}\n\n${endOf(asked)}`;

/** What a person is told who answers a question that has ended. */
export function lateReply(asked: PendingChoice, { id }: Pick<Person, 'id'>): string {
  const { answer, endedAt = Infinity, expiresAt } = asked;
  if (answer !== undefined) {
    const who = answer.by.id === id ? 'You have' : `${answer.by.fullName} has`;
    return `${who} answered that already: ${answer.option}.`;
  }
  return endedAt < expiresAt
    ? 'That question is no longer asked.'
    : 'That question has ended: nobody has answered in time.';
}

/** Whether a text is a late answer: the words of an option, as a button sends them. */
export function isLateAnswer(
  asked: PendingChoice,
  { text, by, isAddressed, now }: LateText,
): boolean {
  if (sameOption(asked.options, text) === undefined) return false;
  if (asked.told?.includes(by.id) === true) return false;
  if (asked.answer?.by.id !== by.id) return true;
  return isAddressed && now - asked.answer.at < DOUBLE_MS;
}

interface LateText {
  readonly text: string;
  readonly by: Pick<Person, 'id'>;
  /** Whether the message is addressed to the bot. */
  readonly isAddressed: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}
