import type { App } from '../../engine/app.ts';
import type { LockedChange, Tx } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import { requireMayChangeAvatar } from '../../model/avatars/access.ts';
import type { AvatarPictures } from '../../model/users/avatar-pictures.ts';
import * as users from '../../model/users/queries.ts';
import { storeAvatar } from '../../model/users/store-avatar.ts';
import { avatarUrl } from '../../model/users/user-record.ts';
import { changingBot } from '../bots/changing-bot.ts';
import { changingProfile } from '../user-events/emit-user-changes.ts';

interface AvatarChange extends LockedChange<'realm_user' | 'realm_bot'> {
  readonly realm: Realm;
  readonly user: User;
}

/**
 * Changes the picture of a user, emits it, and returns its address; null removes the uploaded picture. Throws
 * BAD_REQUEST if they may not change it.
 */
export async function changeAvatar(
  app: App,
  change: AvatarChange,
  pictures: AvatarPictures | null,
): Promise<string> {
  const { db, realm, user } = change;
  requireMayChangeAvatar(realm, user);
  const store = async () => {
    const changed =
      pictures === null ? await withoutAvatar(db, user) : await storeAvatar(db, user, pictures);
    return avatarUrl(changed, realm);
  };
  app.users.forget(db, user.id);
  const shown = () => changingProfile(change, { realm, user }, store);
  return user.is_bot
    ? changingBot(change, { realm, secrets: app.secrets, bot: user }, shown)
    : shown();
}

async function withoutAvatar(db: Tx, user: User): Promise<User> {
  if (user.avatar_source === 'G') return user;
  const changed = { avatar_source: 'G', avatar_version: user.avatar_version + 1 } as const;
  await users.update(db, user, changed);
  await users.removeAvatar(db, user);
  return { ...user, ...changed };
}
