import { ApiError, roles } from '@bellhop/protocol';

import type { Tx } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';
import * as queries from './queries.ts';

/**
 * The caller as they are after a transaction has waited for a lock. Throws USER_DEACTIVATED. Under the
 * realm's lock (`realms.lock`), an active caller stays active until the commit.
 */
export async function activeCaller(
  tx: Tx,
  { id, realm_id }: Pick<User, 'id' | 'realm_id'>,
): Promise<User> {
  const user = await queries.byId(tx, realm_id, id);
  if (!user?.is_active) throw new ApiError('USER_DEACTIVATED');
  return user;
}

/**
 * `activeCaller` for what only administrators may do. Throws UNAUTHORIZED_PRINCIPAL if the caller is no
 * longer one.
 */
export async function activeAdmin(tx: Tx, caller: Pick<User, 'id' | 'realm_id'>): Promise<User> {
  const user = await activeCaller(tx, caller);
  if (user.role > roles.admin)
    throw new ApiError('UNAUTHORIZED_PRINCIPAL', {
      message: 'Must be an organization administrator',
    });
  return user;
}
