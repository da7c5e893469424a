import type { Resource } from '../../engine/resource.ts';
import type { Presenter } from '../../engine/stored-event.ts';
import { settingsState } from './settings-state.ts';
import { updateRealmDefaults } from './update-realm-defaults.ts';
import { updateSettings } from './update-settings.ts';

/** Presents an event only to clients that do not read `user_settings` events. */
const presentLegacy: Presenter = ({ payload }, { registration }) =>
  registration.capabilities.user_settings_object ? [] : [payload];

export const settings: Resource<'settings'> = {
  handlers: {
    update: updateSettings,
    updateNotifications: updateSettings,
    updateDisplay: updateSettings,
    updateRealmDefaults,
  },
  state: settingsState,
  presenters: () => ({
    update_display_settings: presentLegacy,
    update_global_notifications: presentLegacy,
  }),
};
