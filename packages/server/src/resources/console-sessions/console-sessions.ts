import { ApiError } from '../../engine/api-error.ts';
import type { User } from '../../engine/caller.ts';
import type { Handlers, Resource } from '../../engine/resource.ts';
import { findSession, hashOf } from '../../model/console-sessions/find-session.ts';
import { openSession } from '../../model/console-sessions/open-session.ts';
import * as queries from '../../model/console-sessions/queries.ts';
import * as users from '../../model/users/queries.ts';
import { logIn } from '../accounts/log-in.ts';
import { noticeLogin } from '../accounts/notice-login.ts';

const CLIENT = 'Console';
const accountsOf = (signedIn: readonly User[]) =>
  signedIn.map(({ id, delivery_email, full_name }) => ({
    user_id: id,
    email: delivery_email,
    full_name,
  }));

const handlers: Handlers<'consoleSessions'> = {
  async signIn({ realm, params, app, db, ip, change, fail, consoleRequest }) {
    const request = consoleRequest();
    const user = await logIn({ app, db, realm, ip }, params);
    if (!user) return fail('AUTHENTICATION_FAILED');
    const { console_key, session } = await change(async (login) => {
      await noticeLogin(login, { app, realm, user, client: CLIENT, ip });
      return openSession(login.db, [user], { app, realm, request });
    });
    return { console_key, accounts: accountsOf(session.users) };
  },

  async redeem({ realm, params, app, change, fail, consoleRequest }) {
    const request = consoleRequest();
    if (!realm.is_active) throw new ApiError('REALM_DEACTIVATED');
    const opened = await change(async ({ db }) => {
      const key = { key_hash: hashOf(params.key), now: app.now() };
      const ids = await queries.takeKey(db, realm.id, key);
      const active = (await users.byIds(db, realm.id, ids)).filter((user) => user.is_active);
      return active.length > 0 ? openSession(db, active, { app, realm, request }) : undefined;
    });
    if (!opened)
      return fail(
        'AUTHENTICATION_FAILED',
        'This link worked once already: sign in, or get a new one.',
      );
    return { console_key: opened.console_key, accounts: accountsOf(opened.session.users) };
  },

  async get({ realm, app, db, consoleRequest }) {
    const session = await findSession({ db, now: app.now }, realm, consoleRequest());
    return { accounts: accountsOf(session?.users ?? []) };
  },

  async signOut({ realm, params: { user_id }, app, db, consoleRequest }) {
    const request = consoleRequest();
    const session = await findSession({ db, now: app.now }, realm, request);
    if (!session) return { accounts: [] };
    await queries.removeAccounts(db, realm.id, { session: session.id, user: user_id });
    const left = session.users.filter(({ id }) => user_id !== undefined && id !== user_id);
    if (left.length === 0) request.setCookie(undefined, 0);
    return { accounts: accountsOf(left) };
  },
};

export const consoleSessions: Resource<'consoleSessions'> = { handlers };
