import { ApiError } from '../../engine/api-error.ts';
import type { Db } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import { loginAttempt } from '../../engine/login-limit.ts';
import type { Handlers } from '../../engine/resource.ts';
import { enqueueMails } from '../../mail/send-mail.ts';
import * as consoleSessions from '../../model/console-sessions/queries.ts';
import { passwordResetMail } from '../../model/password-resets/password-reset-mails.ts';
import * as queries from '../../model/password-resets/queries.ts';
import { noReset, openReset } from '../../model/password-resets/reset-link.ts';
import { checkPassword } from '../../model/users/password-strength.ts';
import { hashPassword } from '../../model/users/passwords.ts';
import * as users from '../../model/users/queries.ts';
import { renewApiKey } from '../accounts/renew-api-key.ts';
import { endDevicesOfLogins } from '../devices/end-devices.ts';

/**
 * Gives the user whose link had this key a new password, and ends all their logins: nobody knows who
 * had the account meanwhile. Throws BAD_REQUEST for a link that is not valid or a weak password.
 */
export const confirmPasswordReset: Handlers<'passwordResets'>['confirm'] = async (call) => {
  const { app, before, ip, params } = call;
  const userOf = async (db: Db, realm: Realm): Promise<User> => {
    if (!realm.is_active) throw new ApiError('REALM_DEACTIVATED');
    const user = await openReset(db, { app, realm }, params.key);
    if (!user) throw noReset();
    return user;
  };
  await userOf(call.db, before.realm);
  await checkPassword(params.new_password);
  // Hashing is slow. It runs outside of the transaction, and only for a request with a valid link.
  const password_hash = await hashPassword(params.new_password, params.key);
  const user = await call.change(async (change) => {
    const { db, realm } = change;
    const person = await userOf(db, realm);
    await queries.remove(db, person);
    await users.update(db, person, { password_hash });
    await consoleSessions.removeOfUser(db, person);
    await endDevicesOfLogins(change, person);
    await renewApiKey(app, change, person);
    await enqueueMails(change, { app, realm }, [passwordResetMail({ realm, user: person })]);
    return person;
  });
  // They may have tried all passwords that they could think of before.
  app.loginLimit.forgive(loginAttempt(user, ip));
  app.log.info({ realm_id: user.realm_id, user_id: user.id }, 'a password was reset by a link');
  return { user_id: user.id, email: user.delivery_email };
};
