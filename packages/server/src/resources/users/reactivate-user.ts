import { roles } from '@bellhop/protocol';

import { requireRole } from '../../engine/require-role.ts';
import type { Handlers } from '../../engine/resource.ts';
import { setReceiving } from '../../model/messages/read/set-receiving.ts';
import { userToManage } from '../../model/users/manage-access.ts';
import { personName } from '../../model/users/person-details.ts';
import * as queries from '../../model/users/queries.ts';
import { renewApiKey } from '../accounts/renew-api-key.ts';
import { reactivateBot } from '../bots/reactivate-bot.ts';
import { emitListedSettings } from '../user-events/emit-listed-settings.ts';
import { emitPeerChange } from '../user-events/emit-peer-change.ts';
import { changingUser } from '../user-events/emit-user-changes.ts';

/** `POST /users/{user_id}/reactivate`. No-op for an active user. */
export const reactivateUser: Handlers<'users'>['reactivate'] = async (call) => {
  const { app, realm, user: caller, params, db } = call;
  const user = await userToManage(db, caller, params.user_id);
  if (user.is_active) return {};
  if (user.role === roles.owner) requireRole(caller, roles.owner);
  if (user.is_bot) {
    await reactivateBot(app, call, { realm, bot: user, caller });
    return {};
  }
  await personName(db, realm, { name: user.full_name, own: user.id });
  await setReceiving(call, user, true);
  await changingUser(call, { realm, user }, () => queries.update(db, user, { is_active: true }));
  // Whoever had got hold of the account before is out: the person logs in anew.
  await renewApiKey(app, call, user);
  await emitPeerChange(call, 'peer_add', user);
  await emitListedSettings(call, { realm, user });
  return {};
};
