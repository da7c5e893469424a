import {
  displaySettingNames,
  emojisetChoices,
  notificationSettingNames,
  notificationSounds,
  realmDefaultNames,
  type UserSettingName,
  type UserSettings,
} from '@bellhop/protocol';

import type { Resource, StateCall } from '../../engine/resource.ts';
import { realmDefaultsOf, settingsOfUser } from '../../model/users/user-settings.ts';

const choices = {
  emojiset_choices: [...emojisetChoices],
  available_notification_sounds: [...notificationSounds],
};

const only = <Name extends UserSettingName>(settings: UserSettings, names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, settings[name]])) as Pick<UserSettings, Name>;

/** Whether the client reads `user_settings`, and needs no settings at the top level. */
const readsObject = ({ params }: StateCall) => params.client_capabilities.user_settings_object;

/** The settings of the viewer, in the form that their client reads. */
export const settingsState: Resource<'settings'>['state'] = {
  realm_user_settings_defaults: ({ realm }) => ({
    realm_user_settings_defaults: {
      ...only(realmDefaultsOf(realm), realmDefaultNames),
      ...choices,
    },
  }),
  user_settings: ({ user }) => ({ user_settings: { ...settingsOfUser(user), ...choices } }),
  update_display_settings: (call) =>
    readsObject(call)
      ? undefined
      : {
          ...only(settingsOfUser(call.user), displaySettingNames),
          emojiset_choices: choices.emojiset_choices,
        },
  update_global_notifications: (call) =>
    readsObject(call)
      ? undefined
      : {
          ...only(settingsOfUser(call.user), notificationSettingNames),
          available_notification_sounds: choices.available_notification_sounds,
        },
};
