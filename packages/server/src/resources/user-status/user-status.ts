import { badRequest, shownStatus, type UserId } from '@bellhop/protocol';

import type { Db } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import type { Handlers, Resource } from '../../engine/resource.ts';
import * as queries from '../../model/user-status/queries.ts';
import { visibleByIds } from '../../model/users/access.ts';
import { changeStatus } from './change-status.ts';

const handlers: Handlers<'userStatus'> = {
  async set({ user, realm, params, db, emit }) {
    await changeStatus({ db, emit }, { realm, user }, params);
    return {};
  },

  async setOf({ realm, user: viewer, params, db, emit }) {
    const user = await visiblePerson(db, { realm, viewer }, params.user_id);
    await changeStatus({ db, emit }, { realm, user }, params);
    return {};
  },

  async get({ user: viewer, realm, params, db }) {
    const { id } = await visiblePerson(db, { realm, viewer }, params.user_id);
    return { status: shownStatus((await queries.ofUser(db, realm.id, id)) ?? {}) };
  },
};

/** An active person whom the viewer may see. Throws BAD_REQUEST. */
async function visiblePerson(
  db: Db,
  view: { realm: Realm; viewer: User },
  id: UserId,
): Promise<User> {
  const [user] = await visibleByIds(db, view, [id]);
  if (!user?.is_active || user.is_bot) throw badRequest('No such user');
  return user;
}

export const userStatus: Resource<'userStatus'> = {
  handlers,
  state: {
    async user_status({ db, realm, user: viewer }) {
      const rows = await queries.all(db, realm.id);
      const ids = rows.map(({ user_id }) => user_id);
      const visible = await visibleByIds(db, { realm, viewer }, ids);
      const seen = new Set(visible.map(({ id }) => id));
      const entries = rows
        .filter(({ user_id }) => seen.has(user_id))
        .map(({ user_id, ...status }) => [String(user_id), shownStatus(status)] as const)
        .filter(([, status]) => Object.keys(status).length > 0);
      return { user_status: Object.fromEntries(entries) };
    },
  },
};
