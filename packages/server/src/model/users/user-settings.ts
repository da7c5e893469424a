import { initialUserSettings, type UserSettings } from '@bellhop/protocol';

import type { Realm, User } from '../../engine/caller.ts';

/** The settings that new users of a realm start with. */
export const realmDefaultsOf = (realm: Pick<Realm, 'user_defaults'>): UserSettings => ({
  ...initialUserSettings,
  ...realm.user_defaults,
});

/**
 * All settings of a user. Defaults of the realm are copied when the user is created, so that later
 * changes of them leave the user as they are.
 */
export const settingsOfUser = (user: Pick<User, 'settings' | 'timezone'>): UserSettings => ({
  ...initialUserSettings,
  ...user.settings,
  timezone: user.timezone,
});

/** The value of one setting of a user. */
export const settingOf = <Name extends Exclude<keyof UserSettings, 'timezone'>>(
  name: Name,
  { user }: { readonly user: Pick<User, 'settings'> },
): UserSettings[Name] =>
  (user.settings[name] as UserSettings[Name] | undefined) ?? initialUserSettings[name];
