import type { z } from 'zod';

import { changed } from '../changed.ts';
import type { Draft } from '../drafts.ts';
import type {
  RealmUserSettingsDefaultsEvent,
  UpdateDisplaySettingsEvent,
  UpdateGlobalNotificationsEvent,
  UserSettingsEvent,
} from './settings-events.ts';
import type { SettingsState } from './settings-state.ts';

/** Without synchronization the server keeps no drafts, so the state has none. */
export function applyUserSettings(
  state: SettingsState & { drafts?: Draft[] },
  { property, value }: z.output<typeof UserSettingsEvent>,
): typeof state {
  const next = changed(state, 'user_settings', (settings) => ({ ...settings, [property]: value }));
  const isEnd = property === 'enable_drafts_synchronization' && value === false;
  return isEnd ? changed(next, 'drafts', () => []) : next;
}

export const applyRealmUserSettingsDefaults = (
  state: SettingsState,
  { property, value }: z.output<typeof RealmUserSettingsDefaultsEvent>,
): SettingsState =>
  changed(state, 'realm_user_settings_defaults', (defaults) => ({
    ...defaults,
    [property]: value,
  }));

/** Sets a legacy setting at the top level of the state, if it was fetched. */
const withSetting = (
  state: SettingsState,
  name: keyof SettingsState,
  value: unknown,
): SettingsState => (name in state ? { ...state, [name]: value } : state);

export const applyDisplaySettings = (
  state: SettingsState,
  { setting_name, setting }: z.output<typeof UpdateDisplaySettingsEvent>,
): SettingsState => withSetting(state, setting_name, setting);

export const applyGlobalNotifications = (
  state: SettingsState,
  { notification_name, setting }: z.output<typeof UpdateGlobalNotificationsEvent>,
): SettingsState => withSetting(state, notification_name, setting);
