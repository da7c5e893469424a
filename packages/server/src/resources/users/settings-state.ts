import {
  emojisetChoices,
  initialUserSettings,
  legacyDisplaySettings,
  legacyNotificationSettings,
  notificationSounds,
  type UserSettings,
} from '@bellhop/protocol';

import type { Resource, UserViewing, Viewing } from '../../engine/resource.ts';

const choices = {
  emojiset_choices: [...emojisetChoices],
  available_notification_sounds: [...notificationSounds],
};

const defaultsOf = ({ realm }: Viewing): UserSettings => ({
  ...initialUserSettings,
  ...realm.user_defaults,
});

const settingsOf = (viewing: UserViewing): UserSettings => ({
  ...defaultsOf(viewing),
  ...viewing.user.settings,
  timezone: viewing.user.timezone,
});

function only<Names extends Partial<UserSettings> | object>(settings: UserSettings, names: Names) {
  const chosen = Object.entries(settings).filter(([name]) => Object.hasOwn(names, name));
  return Object.fromEntries(chosen) as Pick<UserSettings, keyof Names & keyof UserSettings>;
}

/** Whether the client reads `user_settings`, and needs no settings at the top level. */
const readsObject = ({ params }: Viewing) => params.client_capabilities.user_settings_object;

type State = Resource<'users'>['state'];

/** The settings of the viewer, in the form that their client reads. */
export const settingsState: Omit<State, 'realm_user'> = {
  realm_user_settings_defaults: (viewing) => ({
    realm_user_settings_defaults: { ...defaultsOf(viewing), ...choices },
  }),
  user_settings: (viewing) => ({ user_settings: { ...settingsOf(viewing), ...choices } }),
  update_display_settings: (viewing) =>
    readsObject(viewing)
      ? undefined
      : {
          ...only(settingsOf(viewing), legacyDisplaySettings),
          emojiset_choices: choices.emojiset_choices,
        },
  update_global_notifications: (viewing) =>
    readsObject(viewing)
      ? undefined
      : {
          ...only(settingsOf(viewing), legacyNotificationSettings),
          available_notification_sounds: choices.available_notification_sounds,
        },
};
