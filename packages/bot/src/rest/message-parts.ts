import { BotError } from '../bot-error.ts';
import { splitMarkdown } from './split-markdown.ts';

/** The most characters of a message; a server cuts longer ones. */
export const MAX_MESSAGE_LENGTH = 10_000;

/** More parts than anybody reads: the bot should upload a file. */
const MAX_PARTS = 20;

/**
 * Splits a text into messages, at paragraphs where possible; code fences are closed and opened again.
 * Throws BotError `reply_invalid` if it needs more than 20 messages.
 */
export function messageParts(text: string): readonly [string, ...string[]] {
  const parts: string[] = [];
  let left = text;
  while (left.length > MAX_MESSAGE_LENGTH) {
    if (parts.length === MAX_PARTS - 1) throw tooLong(text);
    const { head, at, reopened } = splitMarkdown(left, MAX_MESSAGE_LENGTH);
    parts.push(head);
    // Very many open fences would take the room of the text.
    left = (reopened.length < at / 2 ? reopened : '') + left.slice(at);
  }
  const [first = left, ...others] = parts;
  return parts.length === 0 ? [left] : [first, ...others, left];
}

/** The beginning of a text that is too long for the only message there is, with a note that it is cut. */
export function cutToOne(text: string): string {
  const note = '\n\n*(The reply is longer than one message, and the bot can send only one.)*';
  return splitMarkdown(text, MAX_MESSAGE_LENGTH - note.length).head + note;
}

/** Throws BotError `reply_invalid` for a text that a server would cut. */
export function requireOneMessage({ length }: string): void {
  if (length <= MAX_MESSAGE_LENGTH) return;
  throw new BotError(
    'reply_invalid',
    `A message has at most ${MAX_MESSAGE_LENGTH} characters, not ${length}: ` +
      'ctx.reply and ctx.stream send a long text in parts.',
  );
}

const tooLong = ({ length }: string) =>
  new BotError(
    'reply_invalid',
    `A reply of ${length} characters needs more than ${MAX_PARTS} messages: upload it as a file.`,
  );
