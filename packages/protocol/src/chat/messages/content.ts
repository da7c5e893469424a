import { cutText } from '../../values/characters.ts';
import { badRequest } from '../../wire/errors.ts';

/** The longest content of a message in characters. */
export const MAX_MESSAGE_LENGTH = 10_000;

/** Trims content and cuts it to 10,000 characters. Throws BAD_REQUEST if it is empty or has NUL. */
export function checkContent(content: string): string {
  const trimmed = content.replace(/^\n+/, '').trimEnd();
  if (trimmed.trim() === '') throw badRequest('Message must not be empty');
  if (trimmed.includes('\0')) throw badRequest('Message must not contain null bytes');
  return cutText(trimmed, MAX_MESSAGE_LENGTH, '\n[message truncated]');
}
