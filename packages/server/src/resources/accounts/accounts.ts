import type { Handlers, Resource } from '../../engine/resource.ts';
import { lockRealmAs } from '../../model/users/lock-realm-as.ts';
import { renewApiKey } from '../../model/users/renew-api-key.ts';
import { endDevicesOfLogins } from '../devices/end-devices.ts';
import { logIn } from './log-in.ts';
import { noticeLogin } from './notice-login.ts';

const handlers: Handlers<'accounts'> = {
  async regenerateApiKey({ realm, user, app, change }) {
    const api_key = await change(async ({ db, emit }) => {
      // A device that registers at the same time is ended, or finds the new key.
      await lockRealmAs(db, { realm, user });
      await endDevicesOfLogins({ db, emit }, user);
      return renewApiKey(app, db, user);
    });
    await app.users.forgotten();
    return { api_key };
  },

  async fetchApiKey({ realm, params, app, db, ip, client, change, fail }) {
    const user = await logIn({ app, db, realm, ip }, params);
    if (!user) return fail('AUTHENTICATION_FAILED');
    await change((login) => noticeLogin(login, { app, realm, user, client, ip }));
    return {
      api_key: app.secrets.open(user.api_key_sealed),
      email: user.delivery_email,
      user_id: user.id,
    };
  },
};

export const accounts: Resource<'accounts'> = { handlers };
