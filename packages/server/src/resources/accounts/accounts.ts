import { ApiError, badRequest } from '@bellhop/protocol';

import type { Handlers, Resource } from '../../engine/resource.ts';
import { isPassword } from '../users/passwords.ts';
import * as users from '../users/queries.ts';
import { renewApiKey } from '../users/renew-api-key.ts';

const handlers: Handlers<'accounts'> = {
  async regenerateApiKey({ user, app, change }) {
    const api_key = await change(({ db }) => renewApiKey(app, db, user));
    await app.users.forgotten();
    return { api_key };
  },

  async fetchApiKey({ realm, params, app, db, fail }) {
    const { username, password } = params;
    if (!/^[^\s@]+@[^\s@]+$/.test(username)) throw badRequest('Enter a valid email address.');
    app.loginLimit.check(`${realm.id} ${username.toLowerCase()}`);
    const user = await users.forLogin(db, realm.id, username);
    if (!(await isPassword(password, user?.password_hash)) || !user || user.is_bot) {
      app.loginLimit.failed(`${realm.id} ${username.toLowerCase()}`);
      return fail('AUTHENTICATION_FAILED');
    }
    if (!realm.is_active) throw new ApiError('REALM_DEACTIVATED');
    if (!user.is_active) throw new ApiError('USER_DEACTIVATED');
    app.loginLimit.succeeded(`${realm.id} ${username.toLowerCase()}`);
    return {
      api_key: app.secrets.open(user.api_key_sealed),
      email: user.delivery_email,
      user_id: user.id,
    };
  },
};

export const accounts: Resource<'accounts'> = { handlers };
