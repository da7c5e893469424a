import type { App } from '../../engine/app.ts';
import type { Change } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import { changingBot } from '../bots/changing-bot.ts';
import * as realms from '../realms/queries.ts';
import type { AvatarPictures } from '../users/avatar-pictures.ts';
import { changingUser } from '../users/emit-user-changes.ts';
import * as users from '../users/queries.ts';
import { storeAvatar } from '../users/store-avatar.ts';
import { avatarUrl } from '../users/user-record.ts';

interface NewPicture {
  readonly realm: Realm;
  readonly user: User;
  /** Null removes the uploaded picture. */
  readonly pictures: AvatarPictures | null;
}

/** Changes the picture of a user, emits it, and returns its address. */
export async function changeAvatar(
  app: App,
  change: Pick<Change<'realm_user' | 'realm_bot' | 'user_group'>, 'db' | 'emit'>,
  { realm, user, pictures }: NewPicture,
): Promise<string> {
  const { db } = change;
  await realms.lock(db, realm.id);
  const store = async () => {
    // Another picture may have been uploaded since the user was read.
    const current = (await users.byId(db, realm.id, user.id)) ?? user;
    const isRemoved = pictures === null;
    const changed = isRemoved
      ? await withoutAvatar(db, current)
      : await storeAvatar(db, current, pictures);
    return avatarUrl(changed, realm);
  };
  app.users.forget(db, user.id);
  return user.is_bot
    ? changingBot(change, { realm, secrets: app.secrets, bot: user }, store)
    : changingUser(change, { realm, user }, store);
}

async function withoutAvatar(db: Change['db'], user: User): Promise<User> {
  if (user.avatar_source === 'G') return user;
  const changed = { avatar_source: 'G', avatar_version: user.avatar_version + 1 } as const;
  await users.update(db, user, changed);
  await users.removeAvatar(db, user);
  return { ...user, ...changed };
}
