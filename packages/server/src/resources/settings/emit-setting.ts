import {
  type DisplaySettingName,
  displaySettingNames,
  type NotificationSettingName,
  notificationSettingNames,
  type UserSettingName,
} from '@bellhop/protocol';

import type { Change } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import { languageName } from '../../model/settings/locale.ts';
import type { SettingChange } from '../../model/settings/setting-changes.ts';
import { apiEmail } from '../../model/users/user-record.ts';

type Emit = Change<
  'user_settings' | 'update_display_settings' | 'update_global_notifications'
>['emit'];

const isDisplay = (name: string): name is DisplaySettingName =>
  (displaySettingNames as readonly string[]).includes(name);
const isNotification = (name: string): name is NotificationSettingName =>
  (notificationSettingNames as readonly string[]).includes(name);

/** Emits a changed setting to its user, also in the form that older clients read. */
export function emitSetting(
  emit: Emit,
  { user, realm }: { user: User; realm: Realm },
  { property, value }: SettingChange<UserSettingName>,
): void {
  const language =
    property === 'default_language' ? { language_name: languageName(String(value)) } : {};
  const audience = [user.id];
  emit({ type: 'user_settings', op: 'update', property, value, ...language }, audience);
  const email = apiEmail(user, realm);
  if (isDisplay(property))
    emit(
      {
        type: 'update_display_settings',
        user: email,
        setting_name: property,
        setting: value,
        ...language,
      },
      audience,
    );
  if (isNotification(property))
    emit(
      {
        type: 'update_global_notifications',
        user: email,
        notification_name: property,
        setting: value,
      },
      audience,
    );
}
