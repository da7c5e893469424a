import type { App } from '../../engine/app.ts';
import type { Change } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import { changingBot } from '../bots/changing-bot.ts';
import { changingUser } from '../users/emit-user-changes.ts';
import * as users from '../users/queries.ts';
import { storeAvatar } from '../users/store-avatar.ts';
import { avatarUrl } from '../users/user-record.ts';

interface NewPicture {
  readonly realm: Realm;
  readonly user: User;
  /** Null removes the uploaded picture. */
  readonly image: Uint8Array | null;
}

/** Changes the picture of a user, emits it, and returns its address. Throws BAD_IMAGE. */
export async function changeAvatar(
  app: App,
  change: Pick<Change<'realm_user' | 'realm_bot' | 'user_group'>, 'db' | 'emit'>,
  { realm, user, image }: NewPicture,
): Promise<string> {
  const { db } = change;
  const store = async () =>
    avatarUrl(image ? await storeAvatar(db, user, image) : await withoutAvatar(db, user), realm);
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
