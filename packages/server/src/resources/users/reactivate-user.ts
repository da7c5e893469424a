import { roles, type UserId } from '@bellhop/protocol';

import type { App } from '../../engine/app.ts';
import type { Change } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import { requireRole } from '../../engine/require-role.ts';
import type { Handlers } from '../../engine/resource.ts';
import { lockRealmAsAdmin } from '../../model/users/lock-realm-as.ts';
import { userToManage } from '../../model/users/manage-access.ts';
import { personName } from '../../model/users/person-details.ts';
import * as queries from '../../model/users/queries.ts';
import { renewApiKey } from '../../model/users/renew-api-key.ts';
import { reactivateBot } from '../bots/reactivate-bot.ts';
import { emitPeerChange } from '../channels/subscribe/emit-peer-change.ts';
import { emitListedSettings, type SettingEvent } from '../user-groups/emit-listed-settings.ts';
import { changingUser } from './emit-user-changes.ts';

/** `POST /users/{user_id}/reactivate`. No-op for an active user. */
export const reactivateUser: Handlers<'users'>['reactivate'] = async (call) => {
  const { user, realm, params, app } = call;
  const hasChanged = await call.change((change) =>
    reactivate(change, { app, realm, user }, params.user_id),
  );
  if (hasChanged) await app.users.forgotten();
  return {};
};

async function reactivate(
  change: Pick<Change<'realm_bot' | 'realm_user' | 'subscription' | SettingEvent>, 'db' | 'emit'>,
  { app, ...call }: { app: App; realm: Realm; user: User },
  id: UserId,
): Promise<boolean> {
  const { db } = change;
  const { realm, user: caller } = await lockRealmAsAdmin(db, call);
  const user = await userToManage(db, caller, id);
  if (user.is_active) return false;
  if (user.role === roles.owner) requireRole(caller, roles.owner);
  if (user.is_bot) {
    await reactivateBot(app, change, { realm, bot: user, caller });
    return true;
  }
  await personName(db, realm, { name: user.full_name, own: user.id });
  await changingUser(change, { realm, user }, () => queries.update(db, user, { is_active: true }));
  // Whoever had got hold of the account before is out: the person logs in anew.
  await renewApiKey(app, db, user);
  await emitPeerChange(change, 'peer_add', user);
  await emitListedSettings(change, { realm, user });
  return true;
}
