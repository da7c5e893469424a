import { api, type Api, badRequest, type ParamsOf, roles, type UserId } from '@bellhop/protocol';

import type { App } from '../../engine/app.ts';
import type { LockedChange, Tx } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import { requireRole } from '../../engine/require-role.ts';
import type { Handlers } from '../../engine/resource.ts';
import { requireMaySetRole, userToManage } from '../../model/users/manage-access.ts';
import { personAddress, personName } from '../../model/users/person-details.ts';
import * as queries from '../../model/users/queries.ts';
import { visibleUser } from '../../model/users/users-by-address.ts';
import { renewHigherKeys } from '../bots/renew-higher-keys.ts';
import { changeProfile } from '../custom-profile-fields/change-profile.ts';
import { endDevicesOfLogins } from '../devices/end-devices.ts';
import { endInvites } from '../invites/end-invites.ts';
import { changingUser } from './emit-user-changes.ts';

type Params = ParamsOf<Api['users']['update']>;

type PersonUpdate = Params & { readonly user_id: UserId };

interface PersonChange extends LockedChange<
  'realm_user' | 'realm_bot' | 'user_group' | 'invites_changed' | 'push_device'
> {
  readonly realm: Realm;
  /** The administrator. */
  readonly user: User;
}

/** Changes the name, role, profile and address of a user (spec, Update a user). */
export const updateUser: Handlers<'users'>['update'] = async (call) => {
  const { client, app, db } = call;
  const { user: caller, realm } = call.before;
  const found = await visibleUser(db, { realm, viewer: caller }, call.params.user_id);
  if (!found || found.is_system_bot) throw badRequest('No such user');
  const { id: user_id, is_bot } = found;
  const params = { ...call.params, user_id };
  const { full_name, role, new_email } = params;
  if (is_bot) {
    if (new_email !== undefined) throw badRequest('Bots keep their address.');
    if (params.profile_data) throw badRequest('Bots have no profile.');
    const update = { bot_id: user_id, full_name, role };
    await app.perform(api.bots.update, update, { realm, user: caller, client });
    return {};
  }
  await call.change((change) => updatePerson(app, change, params));
  return {};
};

async function updatePerson(app: App, change: PersonChange, params: PersonUpdate): Promise<void> {
  const { db, realm, user: caller } = change;
  const user = await userToManage(db, caller, params.user_id);
  const own = user.id;
  const { role = user.role, full_name: name, new_email } = params;
  await requireMaySetRole(db, { caller, user, role });
  const full_name =
    name === undefined ? user.full_name : await personName(db, realm, { name, own });
  const delivery_email =
    new_email === undefined || new_email === user.delivery_email
      ? user.delivery_email
      : await newAddress(db, { realm, caller }, { email: new_email, own });
  if (params.profile_data)
    await changeProfile(change, { realm, caller, user }, params.profile_data);
  await changingUser(change, { realm, user }, async () => {
    await queries.update(db, user, { full_name, role, delivery_email });
    // The role decides what the queues of a user may show, so a new role ends them.
    if (role !== user.role || delivery_email !== user.delivery_email) await change.endLogins(user);
  });
  if (delivery_email !== user.delivery_email) {
    await endDevicesOfLogins(change, user);
    await endInvites(change, realm, delivery_email);
  }
  if (role > user.role) await renewHigherKeys(app, change, { realm, owner: { ...user, role } });
}

/** Throws unless the caller is an owner with `can_change_user_emails` (spec, Authentication 2). */
async function newAddress(
  db: Tx,
  { realm, caller }: { readonly realm: Realm; readonly caller: User },
  address: Parameters<typeof personAddress>[2],
): Promise<string> {
  requireRole(caller, roles.owner);
  if (!caller.can_change_user_emails) throw badRequest('User not authorized to change user emails');
  return personAddress(db, realm, address);
}
