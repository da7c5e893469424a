import { initialUserSettings, type UserSettings } from '@bellhop/protocol';

import type { Realm, User } from '../../engine/caller.ts';

/** The value of a setting for users of a realm who have none of their own. */
export const realmDefaultOf = <Name extends keyof UserSettings>(
  name: Name,
  realm: Pick<Realm, 'user_defaults'>,
): UserSettings[Name] =>
  (realm.user_defaults[name] ?? initialUserSettings[name]) as UserSettings[Name];

/** The value of a user's setting. */
export const settingOf = <Name extends keyof UserSettings>(
  name: Name,
  { user, realm }: { user: Pick<User, 'settings'>; realm: Pick<Realm, 'user_defaults'> },
): UserSettings[Name] =>
  (user.settings[name] as UserSettings[Name] | undefined) ?? realmDefaultOf(name, realm);
