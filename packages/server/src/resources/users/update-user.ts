import { type Api, badRequest, type ParamsOf, roles } from '@bellhop/protocol';

import type { App } from '../../engine/app.ts';
import type { LockedChange, Tx } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import { requireRole } from '../../engine/require-role.ts';
import type { Handlers } from '../../engine/resource.ts';
import { requireMaySetRole } from '../../model/users/manage-access.ts';
import { personAddress, personName } from '../../model/users/person-details.ts';
import * as queries from '../../model/users/queries.ts';
import { visibleUser } from '../../model/users/users-by-address.ts';
import { renewHigherKeys } from '../bots/renew-higher-keys.ts';
import { changeBot } from '../bots/update-bot.ts';
import { changeProfile } from '../custom-profile-fields/change-profile.ts';
import { endDevicesOfLogins } from '../devices/end-devices.ts';
import { endInvites } from '../invites/end-invites.ts';
import { changingUser } from '../user-events/emit-user-changes.ts';

type Params = ParamsOf<Api['users']['update']>;

interface PersonChange extends LockedChange<
  'realm_user' | 'realm_bot' | 'user_group' | 'invites_changed' | 'push_device' | 'device'
> {
  readonly app: App;
  readonly realm: Realm;
  /** The administrator. */
  readonly user: User;
  readonly params: Params;
}

/** Changes the name, role, profile and address of a user (spec, Update a user). */
export const updateUser: Handlers<'users'>['update'] = async (call) => {
  const { app, actor, db, realm, user: caller, params } = call;
  const user = await visibleUser(db, { realm, viewer: caller }, params.user_id);
  if (!user || user.is_system_bot) throw badRequest('No such user');
  if (!user.is_bot) {
    await updatePerson(call, user);
    return {};
  }
  const { full_name, role, new_email, profile_data } = params;
  if (new_email !== undefined) throw badRequest('Bots keep their address.');
  if (profile_data) throw badRequest('Bots have no profile.');
  const update = { bot_id: user.id, full_name, role };
  await changeBot(call, { app, actor, params: update });
  return {};
};

async function updatePerson(change: PersonChange, user: User): Promise<void> {
  const { app, db, realm, user: caller, params } = change;
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
