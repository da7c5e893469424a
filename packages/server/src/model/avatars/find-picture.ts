import { type Api, ApiError, type ParamsOf } from '@bellhop/protocol';

import type { Db } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import { isSpectator, userOrSpectator } from '../../engine/spectator.ts';
import { visibleAmong } from '../users/access.ts';
import * as users from '../users/queries.ts';
import { withoutAddress } from '../users/unknown-user.ts';
import {
  avatarUrl,
  generatedAddress,
  gravatarUrl,
  isGravatar,
  mediumUrl,
} from '../users/user-record.ts';
import { usersByAddress } from '../users/users-by-address.ts';

interface PictureCall {
  readonly db: Db;
  readonly realm: Realm;
  readonly user: User | null;
  readonly params: ParamsOf<Api['avatars']['get']>;
}

/**
 * The address of the picture of a user. For a user who does not exist or is hidden, the one that
 * Gravatar makes from the address in the request. Throws UNAUTHORIZED for an address without a login.
 */
export async function findPicture(call: PictureCall, size: 'small' | 'medium'): Promise<string> {
  const { s } = call.params;
  const small = await pictureUrl(call);
  const url = size === 'medium' ? mediumUrl(small) : small;
  return s === undefined || !isGravatar(url) ? url : `${small}&s=${s}`;
}

async function pictureUrl(call: PictureCall): Promise<string> {
  const { db, realm, params } = call;
  const { user_id } = params;
  const viewer = userOrSpectator(call);
  if (typeof user_id === 'number') {
    const found = await users.byIds(db, realm.id, [user_id]);
    // Everybody sees the pictures of system bots.
    const [user] = await visibleAmong(db, { realm, viewer }, found);
    if (!user) return gravatarUrl(generatedAddress(user_id, realm));
    return avatarUrl(isSpectator(viewer) ? withoutAddress(user) : user, realm);
  }
  if (isSpectator(viewer)) throw new ApiError('UNAUTHORIZED');
  const [user] = (await usersByAddress(db, { realm, viewer }, [user_id])).users;
  return user ? avatarUrl(user, realm) : gravatarUrl(user_id.trim());
}
