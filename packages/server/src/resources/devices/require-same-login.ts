import { ApiError } from '../../engine/api-error.ts';
import type { User } from '../../engine/caller.ts';

/**
 * What ends a login ends its devices: none may be added by it afterwards. Throws INVALID_API_KEY if the
 * login of a request has ended since it was checked.
 */
export function requireSameLogin(before: User, now: User): void {
  const isSame =
    before.delivery_email === now.delivery_email && before.api_key_mac.equals(now.api_key_mac);
  if (!isSame) throw new ApiError('INVALID_API_KEY');
}
