import { badRequest } from '@bellhop/protocol';

import type { Realm, User } from '../../engine/caller.ts';
import { settingOf } from '../users/user-settings.ts';

/** Channels with more subscribers get no typing events. */
export const MAX_TYPING_SUBSCRIBERS = 100;

/** Throws BAD_REQUEST if the user has switched off their own typing notifications. */
export function requireSends(
  setting: `send_${'stream' | 'private'}_typing_notifications`,
  typist: { readonly user: User; readonly realm: Realm },
): void {
  if (!settingOf(setting, typist))
    throw badRequest('User has disabled typing notifications for this kind of message');
}
