import { z } from 'zod';

import { Markdown, Secret } from '../../values/fields.ts';
import { section, type StateOf } from '../../wire/resource.ts';
import {
  displaySettingNames,
  notificationSettingNames,
  realmDefaultNames,
  schemasOf,
  UserSettings,
} from './user-settings.ts';

const emojiset_choices = z.array(z.object({ key: Secret, text: Markdown }));
const available_notification_sounds = z.array(z.string());
const choices = { emojiset_choices, available_notification_sounds };

export const settingsState = {
  realm_user_settings_defaults: section({
    realm_user_settings_defaults: z.object(schemasOf(realmDefaultNames)).partial().extend(choices),
  }),
  user_settings: section({ user_settings: UserSettings.partial().extend(choices) }),
  /** This and the next section are for clients without the capability `user_settings_object`. */
  update_display_settings: section({ ...schemasOf(displaySettingNames), emojiset_choices }),
  update_global_notifications: section({
    ...schemasOf(notificationSettingNames),
    available_notification_sounds,
  }),
};
export type SettingsState = StateOf<typeof settingsState>;
