import { limitedAddress } from '@bellhop/http';
import { ApiError, badRequest } from '@bellhop/protocol';

import type { Handlers, Resource } from '../../engine/resource.ts';
import { isPassword } from '../users/passwords.ts';
import * as users from '../users/queries.ts';
import { renewApiKey } from '../users/renew-api-key.ts';
import { noticeLogin } from './notice-login.ts';

const handlers: Handlers<'accounts'> = {
  async regenerateApiKey({ user, app, change }) {
    const api_key = await change(({ db }) => renewApiKey(app, db, user));
    await app.users.forgotten();
    return { api_key };
  },

  async fetchApiKey({ realm, params, app, db, ip, client, change, fail }) {
    const { username, password } = params;
    if (!/^[^\s@]+@[^\s@]+$/.test(username)) throw badRequest('Enter a valid email address.');
    const name = `${realm.id} ${username.toLowerCase()}`;
    const user = await users.forLogin(db, realm.id, username);
    const isRight = await app.loginLimit.check({ name, address: limitedAddress(ip) }, async () => {
      const matches = await isPassword(password, user?.password_hash);
      return matches && user?.is_bot === false;
    });
    if (!isRight || !user) return fail('AUTHENTICATION_FAILED');
    if (!realm.is_active) throw new ApiError('REALM_DEACTIVATED');
    if (!user.is_active) throw new ApiError('USER_DEACTIVATED');
    await change((login) => noticeLogin(login, { app, realm, user, client, ip }));
    return {
      api_key: app.secrets.open(user.api_key_sealed),
      email: user.delivery_email,
      user_id: user.id,
    };
  },
};

export const accounts: Resource<'accounts'> = { handlers };
