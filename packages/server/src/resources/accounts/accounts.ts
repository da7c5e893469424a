import type { Handlers, Resource } from '../../engine/resource.ts';
import { endDevicesOfLogins } from '../devices/end-devices.ts';
import { logIn } from './log-in.ts';
import { noticeLogin } from './notice-login.ts';
import { renewApiKey } from './renew-api-key.ts';

const handlers: Handlers<'accounts'> = {
  async regenerateApiKey({ user, app, db, emit, endLogins }) {
    // A device that registers at the same time is ended, or finds the new key.
    await endDevicesOfLogins({ db, emit }, user);
    return { api_key: await renewApiKey(app, { db, endLogins }, user) };
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
