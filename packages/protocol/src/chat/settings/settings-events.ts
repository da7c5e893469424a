import { z } from 'zod';

import {
  displaySettingNames,
  notificationSettingNames,
  realmDefaultNames,
  userSettingNames,
} from './user-settings.ts';

const op = z.literal('update');
const value = z.union([z.boolean(), z.int(), z.string()]);
const language_name = z
  .string()
  .optional()
  .meta({ description: 'The name of the language, if default_language changed' });

/** A personal setting of yours changed. */
export const UserSettingsEvent = z.object({
  type: z.literal('user_settings'),
  op,
  property: z.enum(userSettingNames),
  value,
  language_name,
});

/** A display setting of yours changed: sent to clients without `user_settings_object`. */
export const UpdateDisplaySettingsEvent = z.object({
  type: z.literal('update_display_settings'),
  user: z.string().meta({ description: 'Your e-mail address in API responses' }),
  setting_name: z.enum(displaySettingNames),
  setting: value,
  language_name,
});

/** A notification setting of yours changed: sent to clients without `user_settings_object`. */
export const UpdateGlobalNotificationsEvent = z.object({
  type: z.literal('update_global_notifications'),
  user: z.string().meta({ description: 'Your e-mail address in API responses' }),
  notification_name: z.enum(notificationSettingNames),
  setting: value,
});

/** The value of a setting for new users of the realm changed. */
export const RealmUserSettingsDefaultsEvent = z.object({
  type: z.literal('realm_user_settings_defaults'),
  op,
  property: z.enum(realmDefaultNames),
  value,
});
