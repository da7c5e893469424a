import type { Tx } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';
import type { AvatarPictures } from './avatar-pictures.ts';
import * as queries from './queries.ts';

/**
 * Stores an uploaded avatar in place of an earlier one. Returns the user with the new version. The
 * caller emits the events.
 */
export async function storeAvatar(tx: Tx, user: User, pictures: AvatarPictures): Promise<User> {
  const changed = { avatar_source: 'U', avatar_version: user.avatar_version + 1 } as const;
  await queries.update(tx, user, changed);
  await queries.replaceAvatar(tx, user, { version: changed.avatar_version, ...pictures });
  return { ...user, ...changed };
}
