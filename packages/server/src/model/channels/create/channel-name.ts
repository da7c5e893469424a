import {
  badRequest,
  characterCount,
  MAX_CHANNEL_DESCRIPTION_LENGTH,
  MAX_CHANNEL_NAME_LENGTH,
} from '@bellhop/protocol';

/** Undefined code points are allowed: clients may know a newer Unicode than we do. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u;

/** A channel's name, trimmed. Throws BAD_REQUEST for an empty, too long or unprintable name. */
export const checkChannelName = (name: string): string =>
  printableName(name, { noun: 'channel name', most: MAX_CHANNEL_NAME_LENGTH });

/** A name, trimmed. Throws BAD_REQUEST for an empty, too long or unprintable name. */
export function printableName(
  name: string,
  { noun, most }: { readonly noun: string; readonly most: number },
): string {
  const trimmed = name.trim();
  const title = noun.charAt(0).toUpperCase() + noun.slice(1);
  const characters = Array.from(trimmed);
  if (characters.length === 0) throw badRequest(`${title} can't be empty.`);
  if (characters.length > most) throw badRequest(`${title} too long (limit: ${most} characters).`);
  const bad = characters.findIndex((character) => UNPRINTABLE.test(character));
  if (bad !== -1) throw badRequest(`Invalid character in ${noun}, at position ${bad + 1}.`);
  return trimmed;
}

/** A description on one line. Throws BAD_REQUEST if it is too long or has a null byte. */
export function checkChannelDescription(description: string): string {
  const line = description.replace(/\s*\n\s*/g, ' ').trim();
  if (characterCount(line) > MAX_CHANNEL_DESCRIPTION_LENGTH)
    throw badRequest(
      `Channel description too long (limit: ${MAX_CHANNEL_DESCRIPTION_LENGTH} characters).`,
    );
  if (line.includes('\0')) throw badRequest('Channel description must not contain null bytes.');
  return line;
}
