import {
  badRequest,
  MAX_CHANNEL_DESCRIPTION_LENGTH,
  MAX_CHANNEL_NAME_LENGTH,
} from '@bellhop/protocol';

/** A channel's name, trimmed. Throws BAD_REQUEST for an empty, too long or unprintable name. */
export function checkChannelName(name: string): string {
  const trimmed = name.trim();
  const characters = Array.from(trimmed);
  if (characters.length === 0) throw badRequest("Channel name can't be empty.");
  if (characters.length > MAX_CHANNEL_NAME_LENGTH)
    throw badRequest(`Channel name too long (limit: ${MAX_CHANNEL_NAME_LENGTH} characters).`);
  const bad = characters.findIndex((character) => /[\p{Cc}\p{Cs}\p{Cn}]/u.test(character));
  if (bad !== -1) throw badRequest(`Invalid character in channel name, at position ${bad + 1}.`);
  return trimmed;
}

/** A description on one line. Throws BAD_REQUEST if it is too long or has a null byte. */
export function checkChannelDescription(description: string): string {
  const line = description.replace(/\s*\n\s*/g, ' ').trim();
  if (Array.from(line).length > MAX_CHANNEL_DESCRIPTION_LENGTH)
    throw badRequest(
      `Channel description too long (limit: ${MAX_CHANNEL_DESCRIPTION_LENGTH} characters).`,
    );
  if (line.includes('\0')) throw badRequest('Channel description must not contain null bytes.');
  return line;
}
