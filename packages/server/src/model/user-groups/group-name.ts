import { badRequest, characterCount } from '@bellhop/protocol';

const MAX_LENGTH = 100;
/** Prefixes by which clients distinguish groups from users, system groups and channels. */
const RESERVED_PREFIXES = ['@', 'role:', 'user:', 'stream:', 'channel:'] as const;

/** The name of a group, trimmed. Throws BAD_REQUEST for a bad length or a reserved beginning. */
export function checkGroupName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === '') throw badRequest("User group name can't be empty!");
  if (characterCount(trimmed) > MAX_LENGTH)
    throw badRequest(`User group name cannot exceed ${MAX_LENGTH} characters.`);
  const prefix = RESERVED_PREFIXES.find((reserved) => trimmed.startsWith(reserved));
  if (prefix) throw badRequest(`User group name cannot start with '${prefix}'.`);
  return trimmed;
}

export const nameTaken = (name: string) => badRequest(`User group '${name}' already exists.`);
