import { ApiError, roles } from '@bellhop/protocol';

import type { User } from './caller.ts';

const names = {
  [roles.owner]: 'owner',
  [roles.admin]: 'administrator',
  [roles.moderator]: 'moderator',
} as const;

/** Throws UNAUTHORIZED_PRINCIPAL if the user has a lower role than the one that is needed. */
export function requireRole({ role }: Pick<User, 'role'>, needed: keyof typeof names): void {
  if (role > needed)
    throw new ApiError('UNAUTHORIZED_PRINCIPAL', {
      message: `Must be an organization ${names[needed]}`,
    });
}
