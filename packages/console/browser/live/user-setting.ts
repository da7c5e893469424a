import type { InitialState, UserSettingName, UserSettings } from '@bellhop/protocol';

import type { LiveAccount } from './live-account.ts';

/** The personal settings of a state: the server of the console sends all. */
export const settingsOf = (state: Pick<InitialState, 'user_settings'> | undefined): UserSettings =>
  ({ ...state?.user_settings }) as UserSettings;

/** A personal setting of the user of an account. A component that reads it follows its changes. */
export const userSetting = <Name extends UserSettingName>(
  { state }: Pick<LiveAccount, 'state'>,
  name: Name,
): UserSettings[Name] => settingsOf(state.value)[name];
