import { z } from 'zod';

import { Email, FullName } from '../../values/fields.ts';
import { MAX_EMAIL_LENGTH, MAX_NAME_LENGTH } from '../../values/limits.ts';
import { endpoint } from '../../wire/endpoint.ts';
import { event } from '../../wire/event.ts';
import { resource } from '../../wire/resource.ts';
import { SubscriptionEvent } from '../channels/channel-events.ts';
import { PresenceEvent } from '../presence.ts';
import { RealmUserEvent } from '../users/user-events.ts';
import {
  applyDisplaySettings,
  applyGlobalNotifications,
  applyRealmUserSettingsDefaults,
  applyUserSettings,
} from './apply-settings.ts';
import { settingParameters, settingsSince } from './setting-parameters.ts';
import {
  RealmUserSettingsDefaultsEvent,
  UpdateDisplaySettingsEvent,
  UpdateGlobalNotificationsEvent,
  UserSettingsEvent,
} from './settings-events.ts';
import { settingsState } from './settings-state.ts';
import { realmDefaultNames, userSettingNames } from './user-settings.ts';

const Password = z.string().max(MAX_NAME_LENGTH);

const ownSettings = {
  paramsSince: settingsSince(userSettingNames),
  description:
    'Your API key and event queues stay valid when your password changes. Wrong old passwords count towards the same limit as failed logins.',
  access: 'human',
  permissions: [
    {
      to: 'change your name',
      when: 'full_name',
      grants: ['admin', 'realm.name_changes_disabled=false'],
    },
    {
      to: 'change your address',
      when: 'email',
      grants: ['admin', 'realm.email_changes_disabled=false'],
    },
  ],
  locks: 'realm',
  steps: true,
  params: {
    ...settingParameters(userSettingNames),
    full_name: FullName.max(MAX_NAME_LENGTH).optional(),
    email: Email.max(MAX_EMAIL_LENGTH).optional().meta({
      description: 'A mail to the new address confirms it: until then you keep the old one',
    }),
    old_password: Password.optional().meta({ description: 'Required with new_password' }),
    new_password: Password.optional(),
    // Ignored like other unknown parameters, it would change the settings of the administrator who sends it.
    target_users: z
      .null('must be left out: nobody can change the settings of others')
      .optional()
      .meta({ description: 'Not supported: refused, so that your own settings do not change' }),
  },
  emits: [
    UserSettingsEvent,
    UpdateDisplaySettingsEvent,
    UpdateGlobalNotificationsEvent,
    RealmUserEvent,
    PresenceEvent,
    SubscriptionEvent,
  ],
} as const;

const endpoints = {
  update: endpoint('PATCH /settings', {
    ...ownSettings,
    summary: 'Change your settings, name, address or password',
  }),

  updateNotifications: endpoint('PATCH /settings/notifications', {
    ...ownSettings,
    summary: 'Change your settings: an older path of PATCH /settings',
  }),

  updateDisplay: endpoint('PATCH /settings/display', {
    ...ownSettings,
    summary: 'Change your settings: an older path of PATCH /settings',
  }),

  updateRealmDefaults: endpoint('PATCH /realm/user_settings_defaults', {
    summary: 'Change the settings that new users start with',
    description: 'Settings of existing users do not change.',
    since: 96,
    paramsSince: settingsSince(realmDefaultNames),
    access: 'admin',
    params: settingParameters(realmDefaultNames),
    emits: [RealmUserSettingsDefaultsEvent],
  }),
};

export const settings = resource({
  endpoints,
  events: [
    event(UserSettingsEvent, applyUserSettings),
    event(UpdateDisplaySettingsEvent, applyDisplaySettings),
    event(UpdateGlobalNotificationsEvent, applyGlobalNotifications),
    event(RealmUserSettingsDefaultsEvent, applyRealmUserSettingsDefaults),
  ],
  state: settingsState,
});
