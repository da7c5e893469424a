import { badRequest } from '@bellhop/protocol';

/** The name of a new custom emoji, with underscores for spaces. Throws BAD_REQUEST. */
export function checkEmojiName(text: string): string {
  const name = text.trim().replaceAll(' ', '_');
  if (name === '') throw badRequest('Emoji name is missing');
  if (!/^[0-9a-z_-]+$/.test(name))
    throw badRequest(
      'Emoji names have only lower-case English letters, digits, spaces, dashes and underscores.',
    );
  if (!/[0-9a-z]$/.test(name)) throw badRequest('Emoji names end with a letter or a digit.');
  return name;
}
