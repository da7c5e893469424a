import { badRequest, type UserId } from '@bellhop/protocol';

import type { Change, Db } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import type { Handlers, Resource } from '../../engine/resource.ts';
import { SENDING_MS } from '../../model/messages/sending-ms.ts';
import * as queries from '../../model/muted-users/queries.ts';
import { requireRoom } from '../../model/require-room.ts';
import { visibleByIds } from '../../model/users/access.ts';
import * as users from '../../model/users/queries.ts';
import { markAsRead, termOf } from '../messages/flag/mark-as-read.ts';
import { markMutedUserRead } from './mark-muted-user-read.ts';

const handlers: Handlers<'mutedUsers'> = {
  async add(call) {
    const { actor, user, realm, params } = call;
    if (params.user_id === user.id) throw badRequest('Cannot mute self');
    await call.change(async ({ db, emit, enqueue }) => {
      await users.lock(db, user);
      const muted_user_id = await visibleId(db, { realm, viewer: user }, params.user_id);
      if (!(await queries.add(db, user, { muted_user_id, muted_at: actor.now })))
        throw badRequest('User already muted');
      await requireRoom(db, 'muted_user', { realm_id: realm.id, user_id: user.id });
      await emitMuted({ db, emit }, user);
      const payload = { realm_id: realm.id, user_id: user.id, muted_user_id };
      await enqueue(markMutedUserRead, payload, { delayMs: SENDING_MS });
    });
    await markAsRead(call, [termOf('sender', params.user_id)]);
    return {};
  },

  async remove({ user, realm, params, db, emit }) {
    await users.lock(db, user);
    const id = await visibleId(db, { realm, viewer: user }, params.user_id);
    if (!(await queries.remove(db, user, id))) throw badRequest('User is not muted');
    await emitMuted({ db, emit }, user);
    return {};
  },
};

/** The ID of a person or bot whom the viewer may see, also of a deactivated one. Throws BAD_REQUEST. */
async function visibleId(
  db: Db,
  view: { realm: Realm; viewer: User },
  id: UserId,
): Promise<UserId> {
  const [user] = await visibleByIds(db, view, [id]);
  if (!user) throw badRequest('No such user');
  return user.id;
}

async function emitMuted(
  { db, emit }: Pick<Change<'muted_users'>, 'db' | 'emit'>,
  user: User,
): Promise<void> {
  const muted_users = await queries.ofUser(db, user);
  emit({ type: 'muted_users', muted_users }, [user.id]);
}

export const mutedUsers: Resource<'mutedUsers'> = {
  handlers,
  jobs: () => [markMutedUserRead],
  state: { muted_users: async ({ db, user }) => ({ muted_users: await queries.ofUser(db, user) }) },
};
