import { badRequest } from '@bellhop/protocol';

import type { App } from '../../engine/app.ts';
import type { Db } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';
import { loginAttempt } from '../../engine/login-limit.ts';
import { personOf } from '../../engine/turns.ts';
import { checkPassword } from '../../model/users/password-strength.ts';
import { hashPassword, isPassword } from '../../model/users/passwords.ts';
import * as users from '../../model/users/queries.ts';

interface PasswordCall {
  readonly app: App;
  readonly db: Db;
  readonly ip: string;
}

/**
 * The hash of a new password. Throws BAD_REQUEST if the old one is wrong or the new one too weak,
 * RATE_LIMIT_HIT after too many wrong ones.
 */
export async function newPasswordHash(
  { app, db, ip }: PasswordCall,
  user: User,
  { old_password, new_password }: { old_password: string; new_password: string },
): Promise<string> {
  const stored = await users.forLogin(db, user.realm_id, user.delivery_email);
  const person = personOf(user);
  const isRight = await app.loginLimit.check(loginAttempt(user, ip), () =>
    isPassword(old_password, stored?.password_hash, person),
  );
  if (!isRight) throw badRequest('Wrong password!');
  await checkPassword(new_password);
  return hashPassword(new_password, person);
}
