import { ApiError, type Endpoint, roles } from '@bellhop/protocol';

import type { User } from './caller.ts';
import { requireRole } from './require-role.ts';

/** Throws BAD_REQUEST or UNAUTHORIZED_PRINCIPAL if the contract does not let this user call the endpoint. */
export function requireAccess({ access }: Pick<Endpoint, 'access'>, user: User): void {
  const { role, is_bot } = user;
  switch (access) {
    case 'human':
      if (is_bot)
        throw new ApiError('BAD_REQUEST', {
          message: 'This endpoint does not accept bot requests.',
        });
      return;
    case 'bot':
      if (!is_bot)
        throw new ApiError('BAD_REQUEST', { message: 'This endpoint is for bots only.' });
      return;
    case 'member':
      if (role > roles.member)
        throw new ApiError('BAD_REQUEST', { message: 'Not allowed for guest users' });
      return;
    case 'moderator':
      return requireRole(user, roles.moderator);
    case 'admin':
      return requireRole(user, roles.admin);
    case 'owner':
      return requireRole(user, roles.owner);
    default:
  }
}
