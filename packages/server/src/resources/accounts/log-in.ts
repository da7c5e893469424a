import { badRequest } from '@bellhop/protocol';

import { ApiError } from '../../engine/api-error.ts';
import type { App } from '../../engine/app.ts';
import type { Db } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import { loginAttempt } from '../../engine/login-limit.ts';
import { isPassword } from '../../model/users/passwords.ts';
import * as users from '../../model/users/queries.ts';

interface LogIn {
  readonly app: App;
  readonly db: Db;
  readonly realm: Realm;
  readonly ip: string;
}

/**
 * The person with this e-mail address and password; undefined if one of them is wrong. Throws
 * RATE_LIMIT_HIT after too many wrong ones, REALM_DEACTIVATED and USER_DEACTIVATED.
 */
export async function logIn(
  { app, db, realm, ip }: LogIn,
  { username, password }: { username: string; password: string },
): Promise<(User & { readonly api_key_sealed: Buffer }) | undefined> {
  if (!/^[^\s@]+@[^\s@]+$/.test(username)) throw badRequest('Enter a valid email address.');
  const user = await users.forLogin(db, realm.id, username);
  const attempt = loginAttempt({ realm_id: realm.id, delivery_email: username }, ip);
  const isRight = await app.loginLimit.check(attempt, async () => {
    const matches = await isPassword(password, user?.password_hash, attempt.address);
    return matches && user?.is_bot === false;
  });
  if (!isRight || !user) return undefined;
  if (!realm.is_active) throw new ApiError('REALM_DEACTIVATED');
  if (!user.is_active) throw new ApiError('USER_DEACTIVATED');
  return user;
}
