import {
  emojisetChoices,
  initialUserSettings,
  legacyDisplaySettings,
  legacyNotificationSettings,
  notificationSounds,
  settingsWithoutRealmDefault,
  type UserSettings,
} from '@bellhop/protocol';

import type { Resource, UserStateCall, StateCall } from '../../engine/resource.ts';

const choices = {
  emojiset_choices: [...emojisetChoices],
  available_notification_sounds: [...notificationSounds],
};

const defaultsOf = ({ realm }: StateCall): UserSettings => ({
  ...initialUserSettings,
  ...realm.user_defaults,
});

const settingsOf = (call: UserStateCall): UserSettings => ({
  ...defaultsOf(call),
  ...call.user.settings,
  timezone: call.user.timezone,
});

function only<Names extends Partial<UserSettings> | object>(settings: UserSettings, names: Names) {
  const chosen = Object.entries(settings).filter(([name]) => Object.hasOwn(names, name));
  return Object.fromEntries(chosen) as Pick<UserSettings, keyof Names & keyof UserSettings>;
}

const without = <Names extends object>(settings: UserSettings, names: Names) =>
  Object.fromEntries(
    Object.entries(settings).filter(([name]) => !Object.hasOwn(names, name)),
  ) as Omit<UserSettings, keyof Names>;

/** Whether the client reads `user_settings`, and needs no settings at the top level. */
const readsObject = ({ params }: StateCall) => params.client_capabilities.user_settings_object;

type State = Resource<'users'>['state'];

/** The settings of the viewer, in the form that their client reads. */
export const settingsState: Omit<State, 'realm_user'> = {
  realm_user_settings_defaults: (call) => ({
    realm_user_settings_defaults: {
      ...without(defaultsOf(call), settingsWithoutRealmDefault),
      ...choices,
    },
  }),
  user_settings: (call) => ({ user_settings: { ...settingsOf(call), ...choices } }),
  update_display_settings: (call) =>
    readsObject(call)
      ? undefined
      : {
          ...only(settingsOf(call), legacyDisplaySettings),
          emojiset_choices: choices.emojiset_choices,
        },
  update_global_notifications: (call) =>
    readsObject(call)
      ? undefined
      : {
          ...only(settingsOf(call), legacyNotificationSettings),
          available_notification_sounds: choices.available_notification_sounds,
        },
};
